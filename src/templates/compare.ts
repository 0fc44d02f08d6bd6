import type { EpochMs } from '../base/clock.ts'
import type { Issue } from '../base/errors.ts'
import { pointer } from '../base/issues.ts'
import { field, isObject, list, text } from '../base/json.ts'
import { cardBodyCharsMax, headerCharsMax } from '../base/upstreamLimits.ts'
import { compareButtons } from './compareButtons.ts'
import { compareTexts, kindOf, type Place, textSlots } from './compareTexts.ts'
import { filledProblem } from './filled.ts'
import { checkForwardedAddresses } from './forwardedComponents.ts'
import type { HeaderShape, TemplateStructure } from './structure.ts'
import { linkProblem, mediaIdProblem } from './values.ts'

const root = '/templateComponents'

/**
 * Compares the components of a send with the template that it names, by the rules that also fill a template from
 * values. It decides on nothing: what is forwarded goes upstream in any case, and kinds of components that are not
 * known here are left to the upstream.
 * @param components as `checkForwardedComponents` lets them pass, or as they were rendered here
 * @returns all that does not fit, with pointers into `templateComponents`; no message repeats a value
 */
export function compareComponents(components: readonly unknown[], shape: TemplateStructure, now: EpochMs): Issue[] {
  const issues = checkForwardedAddresses(components, shape)
  const { isAuthentication, bodyCharsMax, cards } = shape
  const kind = isAuthentication ? 'code' : 'text'
  compareParts({ parts: shape, components, path: root, whose: 'the template', kind, bodyCharsMax, issues })
  const find = (type: string) => components.findIndex(component => kindOf(component) === type)
  compareOffer(components, find('limited_time_offer'), shape.hasExpiringOffer, now, issues)

  const carousel = find('carousel')
  const path = `${root}${pointer(carousel)}`
  if (carousel < 0 && cards.length > 0)
    issues.push({ path: root, message: `must have a carousel component: the template has ${cards.length} cards` })
  if (carousel >= 0 && cards.length === 0)
    issues.push({ path, message: 'must be left out: the template has no carousel' })
  else if (carousel >= 0) compareCards(list(field(components[carousel], 'cards')), `${path}/cards`, shape, issues)
  return issues
}

/** What a message and a card have in common. */
function compareParts(place: Place): void {
  const { parts, components, path, whose, bodyCharsMax, issues } = place
  const { header, body } = parts
  const at = (type: string) => components.findIndex(component => kindOf(component) === type)
  compareHeader(place, at('header'), header)

  const bodyAt = at('body')
  const parameters = list(field(components[bodyAt], 'parameters'))
  if (bodyAt >= 0) {
    const here = `${path}${pointer(bodyAt)}/parameters`
    const what = `${whose}'s body`
    const texts = compareTexts(place, { parameters, path: here, what, slots: body.slots, types: bodyTypes })
    const problem = texts && filledProblem(what, body, key => texts.get(key) ?? '', bodyCharsMax)
    if (problem) issues.push({ path: here, message: problem })
  } else if (body.slots.length > 0)
    issues.push({ path, message: `must have a body component: ${whose}'s body has ${textSlots(body.slots)}` })

  compareButtons(place)
  components.forEach((component, index) => {
    const type = kindOf(component)
    const here = `${path}${pointer(index)}`
    if ((type === 'header' || type === 'body' || type === 'carousel') && at(type) !== index)
      issues.push({ path: here, message: `repeats the component ${type}` })
    if (type === 'footer' || type === 'buttons')
      issues.push({ path: here, message: 'must be left out: a send has only what the template leaves open' })
  })
}

/** docs/upstream.md#template-messages: an amount or a date may stand in the place of a text. */
const bodyTypes = ['text', 'currency', 'date_time']

/** @param at where it stands among the components; -1: it does not */
function compareHeader(place: Place, at: number, header: HeaderShape): void {
  const { path, components, whose, issues } = place
  const here = `${path}${pointer(at)}`
  const parameters = list(field(components[at], 'parameters'))
  if (at < 0) {
    const why = headerWords(header)
    if (why !== null) issues.push({ path, message: `must have a header component: ${whose}'s header ${why}` })
    return
  }
  switch (header.kind) {
    case 'fixed':
      if (parameters.length > 0)
        issues.push({ path: here, message: `must be left out: ${whose} has no header that takes a value` })
      return
    case 'text': {
      const { slot, fixedChars } = header
      const what = `${whose}'s header`
      const slots = [slot]
      const texts = compareTexts(place, { parameters, path: `${here}/parameters`, what, slots, types: ['text'] })
      const problem = texts && filledProblem(what, { slots, fixedChars }, key => texts.get(key) ?? '', headerCharsMax)
      if (problem) issues.push({ path: `${here}/parameters`, message: problem })
      return
    }
    case 'media':
    case 'unsupported': {
      const [parameter, ...others] = parameters
      if (parameters.length !== 1) {
        const message = `must have one parameter: ${whose}'s header ${headerWords(header)}`
        issues.push({ path: others.length > 0 ? `${here}/parameters/1` : `${here}/parameters`, message })
      }
      if (parameter !== undefined) compareHeaderValue(place, parameter, `${here}/parameters/0`, header)
    }
  }
}

/** What is required of headers that no key fills (docs/upstream.md#template-messages). */
const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['location', ['latitude', 'longitude']],
  ['product', ['product_retailer_id']],
])

type FilledHeader = Extract<HeaderShape, { format: string }>

function compareHeaderValue(
  { whose, issues, kind }: Place,
  parameter: unknown,
  path: string,
  header: FilledHeader,
): void {
  const { format } = header
  if (field(parameter, 'type') !== format) {
    issues.push({ path: `${path}/type`, message: `must be ${format}, as ${whose}'s header` })
    return
  }
  const value = field(parameter, format)
  if (!isObject(value)) {
    issues.push({ path: `${path}/${format}`, message: 'is required' })
    return
  }
  if (header.kind === 'unsupported') {
    for (const name of fieldsOf.get(format) ?? [])
      if (value[name] === undefined) issues.push({ path: `${path}/${format}/${name}`, message: 'is required' })
    return
  }
  const [id, link] = [text(value.id), text(value.link)]
  const here = `${path}/${format}`
  if (id !== null && link !== null) issues.push({ path: here, message: 'must have either link or id, not both' })
  const problem = id === null ? null : mediaIdProblem(id)
  if (problem) issues.push({ path: `${here}/id`, message: problem })
  if (id !== null) return
  // docs/upstream.md#carousel: an address in place of an id is unsure there.
  if (kind === 'card') issues.push({ path: here, message: 'must have the id of an uploaded file: cards take no link' })
  else if (link === null) issues.push({ path: here, message: 'must have a link or an id' })
  else {
    const linked = linkProblem(link)
    if (linked) issues.push({ path: `${here}/link`, message: linked })
  }
}

/** @returns what a header is, behind "the template's header"; null when nothing has to be sent for it */
function headerWords(header: HeaderShape): string | null {
  switch (header.kind) {
    case 'fixed':
      return null
    case 'text':
      return `has ${textSlots([header.slot])}`
    case 'media':
    case 'unsupported':
      return `is of the kind ${header.format}`
  }
}

/** All cards of the template have to be there, each once (docs/upstream.md#carousel). */
function compareCards(given: readonly unknown[], path: string, { cards }: TemplateStructure, issues: Issue[]): void {
  const isProducts = cards.some(({ header }) => header.kind === 'unsupported' && header.format === 'product')
  // docs/upstream.md#template-creation: a carousel of products is stored with two cards, and sent with more.
  if (given.length !== cards.length && !isProducts)
    issues.push({ path, message: `must have ${cards.length} cards, as the template; it has ${given.length}` })
  given.forEach((card, at) => {
    const here = `${path}${pointer(at)}`
    const index = field(card, 'card_index')
    if (index === undefined) issues.push({ path: `${here}/card_index`, message: 'is required: the cards count from 0' })
    const parts = cards[Number(index)] ?? (isProducts ? cards[0] : undefined)
    if (index !== undefined && !parts)
      issues.push({ path: `${here}/card_index`, message: `must be an integer from 0 to ${cards.length - 1}` })
    if (!parts) return
    const components = list(field(card, 'components'))
    const whose = `card ${String(index)}`
    compareParts({
      parts,
      components,
      path: `${here}/components`,
      whose,
      kind: 'card',
      bodyCharsMax: cardBodyCharsMax,
      issues,
    })
  })
}

/** In milliseconds this is in 1973, in seconds in 5138: a smaller number is of seconds. */
const leastMs = 100_000_000_000

/** @param at where it stands among the components; -1: it does not */
function compareOffer(
  components: readonly unknown[],
  at: number,
  isExpiring: boolean,
  now: EpochMs,
  issues: Issue[],
): void {
  const path = `${root}${pointer(at)}`
  if (at < 0) {
    if (isExpiring)
      issues.push({
        path: root,
        message: 'must have a limited_time_offer component: the offer of the template expires',
      })
    return
  }
  if (!isExpiring) {
    issues.push({ path, message: 'must be left out: the template has no offer that expires' })
    return
  }
  const [parameter] = list(field(components[at], 'parameters'))
  const endsAt = field(field(parameter, 'limited_time_offer'), 'expiration_time_ms')
  const here = `${path}/parameters/0/limited_time_offer/expiration_time_ms`
  if (typeof endsAt !== 'number' || !Number.isInteger(endsAt))
    issues.push({ path: here, message: 'is required: a whole number of milliseconds since 1970' })
  else if (endsAt < leastMs)
    issues.push({ path: here, message: 'must be in milliseconds since 1970; this is in seconds' })
  else if (endsAt <= now) issues.push({ path: here, message: 'is in the past: the offer has ended' })
}
