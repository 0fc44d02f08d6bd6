import { pointer } from '../base/issues.ts'
import { cardBodyCharsMax } from '../base/upstreamLimits.ts'
import type { DraftComponent, MediaReference, PendingMedia } from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'
import { cardButtons } from './button.ts'
import { filledProblem } from './filled.ts'
import { valueCharsMax } from './limits.ts'
import { isNumber } from './markers.ts'
import { givenMedia } from './media.ts'
import { noteMedia, noteProblem, type RenderNotes } from './notes.ts'
import { mediaHeader, textParameter } from './parameters.ts'
import { takes } from './shape.ts'
import type { CardShape } from './structure.ts'
import {
  type CardHeader,
  fileIdProblem,
  type GivenCard,
  isKeptFile,
  linkProblem,
  type TextMap,
  textProblem,
  valueIn,
} from './values.ts'

export type CardMedia = MediaReference | PendingMedia

/** Fills one card. If something is missing, the result is incomplete and the problem is reported. */
export function renderCard(
  shape: CardShape,
  given: GivenCard | undefined,
  variables: TextMap,
  found: RenderNotes,
): DraftComponent[] {
  const components: DraftComponent[] = []
  const { header } = shape
  const media = cardHeader(shape, given, variables, found)
  if (header.kind === 'media' && media) components.push(mediaHeader(header.format, media))
  if (shape.body.slots.length > 0) {
    const texts = cardBody(shape, given, variables, found)
    const parameters = shape.body.slots.map((slot, at) => textParameter(slot, texts[at] ?? ''))
    components.push({ type: 'body', parameters })
  } else if (given?.card.bodyValues) cardBody(shape, given, variables, found)
  components.push(...cardButtons(shape, given, variables, found))
  return components
}

function cardHeader(
  shape: CardShape,
  given: GivenCard | undefined,
  variables: TextMap,
  found: RenderNotes,
): CardMedia | undefined {
  const { header, index } = shape
  const structured = given?.card.header
  if (header.kind !== 'media') {
    if (structured) noteProblem(found, `is not allowed: card ${index} has no media header`, () => headerPath(given, ''))
    return undefined
  }
  if (given && structured) return structuredHeader(header.format, structured, given, found)

  const media = givenMedia(header.format, variables, `c${index}_`, found)
  if (given && !media)
    noteProblem(found, `is required: card ${index}'s header is of the kind ${header.format}`, () =>
      headerPath(given, ''),
    )
  return media
}

function structuredHeader(
  format: MediaFormat,
  header: CardHeader,
  given: GivenCard,
  found: RenderNotes,
): CardMedia | undefined {
  const { link, id } = header
  if (header.format.toLowerCase() !== format)
    noteProblem(found, `must be ${format}, as in the template`, () => headerPath(given, '/format'))
  if (link !== undefined && id !== undefined)
    noteProblem(found, 'must have either link or id, not both', () => headerPath(given, ''))
  if (id !== undefined) {
    noteProblem(found, fileIdProblem(id), () => headerPath(given, '/id'))
    if (!isKeptFile(id)) return { id }
    noteMedia(found, { format, link: id, path: headerPath(given, '/id') })
    return { link: id }
  }
  if (link === undefined) {
    noteProblem(found, 'must have a link or an id', () => headerPath(given, ''))
    return undefined
  }
  noteProblem(found, linkProblem(link), () => headerPath(given, '/link'))
  noteMedia(found, { format, link, path: headerPath(given, '/link') })
  return { link }
}

const headerPath = (given: GivenCard, rest: string) => `/carousel/cards/${given.place}/header${rest}`

/** The values of the card body's slots, in their order. */
function cardBody(shape: CardShape, given: GivenCard | undefined, variables: TextMap, found: RenderNotes): string[] {
  const { slots } = shape.body
  const bodyValues = given?.card.bodyValues
  const structured = bodyValues && given ? structuredBody(shape, bodyValues, given, found) : undefined
  const path = () =>
    given ? `/carousel/cards/${given.place}/bodyValues` : pointer('templateVariables', slots[0]?.variable ?? '')

  const texts = new Map<string, string>()
  for (const slot of slots) {
    const text = structured?.get(slot.key) ?? valueIn(variables, slot.variable)
    if (text !== undefined) texts.set(slot.key, text)
    else if (given)
      noteProblem(
        found,
        `is required: card ${shape.index}'s body has {{${slot.key}}}`,
        () => path() + pointer(slot.key),
      )
  }
  const textOf = (key: string) => texts.get(key) ?? ''
  noteProblem(found, filledProblem(`the body of card ${shape.index}`, shape.body, textOf, cardBodyCharsMax), path)
  return slots.map(({ key }) => textOf(key))
}

/**
 * Assigns `bodyValues` to the slots. A numbered template takes its numbers, or else names, which fill the slots in the
 * order of the JSON keys (docs/partner-api.md#carousel); a mix of both would leave that order open. A named template
 * takes its own names.
 */
function structuredBody(
  shape: CardShape,
  bodyValues: TextMap,
  given: GivenCard,
  found: RenderNotes,
): ReadonlyMap<string, string> {
  const { slots } = shape.body
  const keys = Object.keys(bodyValues)
  const isByOrder = keys.length > 0 && !keys.some(isNumber) && !slots.some(slot => slot.isNamed)
  const bySlot = new Map<string, string>()
  keys.forEach((key, at) => {
    const path = () => pointer('carousel', 'cards', given.place, 'bodyValues', key)
    const slot = isByOrder ? slots[at] : slots.find(candidate => candidate.key === key)
    const text = bodyValues[key] ?? ''
    if (slot) {
      bySlot.set(slot.key, text)
      noteProblem(found, textProblem(text, valueCharsMax), path)
    } else if (isByOrder) noteProblem(found, `has no slot: card ${shape.index}'s body takes ${slots.length}`, path)
    else
      noteProblem(
        found,
        `is not in the body of card ${shape.index}; ${takes(slots.map(({ key: known }) => known))}`,
        path,
      )
  })
  return bySlot
}
