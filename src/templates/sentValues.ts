import type { Issue } from '../base/errors.ts'
import { pointer } from '../base/issues.ts'
import { field, list, text } from '../base/json.ts'
import { addressKey, type SendValues } from './authoring/values.ts'
import { kindOf, slotOf } from './compareTexts.ts'
import type { FilledParts } from './examples.ts'
import type { TemplateShape } from './shape.ts'
import { copyCode } from './variables.ts'

/** What filled a template, and what is known to be wrong of it, with pointers into the fields of a send. */
export interface SentValues {
  readonly values: SendValues
  readonly wrong: readonly Issue[]
}

/** A value as it went upstream. */
interface Filled {
  /** Of `templateVariables`. */
  readonly key: string
  /** Null: it was missing. */
  readonly value: string | null
  /** A pointer to its parameter. */
  readonly at: string
  /** The part as the upstream's sentences name it. */
  readonly place: string
  /** The value that stands in its place when the same key has another one elsewhere; null: it has none. */
  readonly own: { readonly part: 'body' | 'addresses'; readonly key: string } | null
}

const roots = { variables: 'templateVariables', body: 'bodyParameters', addresses: 'carousel' } as const

/** A sentence of the upstream that names a part: "buttons: URL suffix at index 1 is not percent-encoded". */
const partNamed = /\b(header|body|button)s?: (?:.*?\bindex (\d+))?/i

/**
 * Reads the values of a request, so that a person can mend them.
 * @param components of the upstream's request
 * @param known what does not fit into the template, with pointers into `templateComponents`
 * @param sentence why the upstream refused it
 * @returns null where values by keys could not say the same: an amount, a payload of a button, an action
 */
export function sentValues(
  components: readonly unknown[],
  shape: TemplateShape,
  known: readonly Issue[],
  sentence: string,
): SentValues | null {
  const carousel = components.findIndex(component => kindOf(component) === 'carousel')
  const cards = list(field(components[carousel], 'cards'))
  const message = shape.unsupported.length > 0 ? null : readParts(shape, components, '/templateComponents', null)
  const ofCards = shape.cards.map(card => {
    const at = cards.findIndex(sent => field(sent, 'card_index') === card.index)
    const path = `/templateComponents/${carousel}/cards/${at}/components`
    return readParts(card, list(field(cards[at], 'components')), path, card.index)
  })
  const read = [message, ...ofCards]
  if (read.some(part => part === null)) return null
  const filled = read.flatMap(part => part ?? [])
  const values = { variables: {}, body: {}, addresses: {} } as Record<keyof SendValues, Record<string, string>>
  const fields = new Map<Filled, string>()
  for (const one of filled) {
    const { key, value, own } = one
    const before = values.variables[key]
    const isOther = before !== undefined && value !== null && before !== value
    if (isOther && own === null) return null
    const part = isOther && own !== null ? own : { part: 'variables' as const, key }
    if (value !== null) values[part.part][part.key] = value
    fields.set(one, pointer(roots[part.part], part.key))
  }
  const marked = (about: readonly Filled[], told: string) =>
    about.map(one => ({ path: fields.get(one) ?? '', message: told }))
  const [, part = '', index] = partNamed.exec(sentence) ?? []
  const named = filled.filter(({ place }) => place === (index === undefined ? part.toLowerCase() : `button ${index}`))
  const missing = named.length === 1 ? named : named.filter(({ value }) => value === null)
  return {
    values,
    wrong: [
      ...known.flatMap(({ path, message: told }) =>
        marked(
          filled.filter(one => isAbout(one, path)),
          told,
        ),
      ),
      ...marked(missing, sentence),
    ],
  }
}

/** What is wrong of a list of parameters is that some are missing. */
const isAbout = ({ at, value }: Filled, path: string): boolean =>
  `${path}/`.startsWith(`${at}/`) || (value === null && at.startsWith(`${path}/`))

/** @returns the values of a message or a card: first those that have no field of their own; null: it has others */
function readParts(
  { header, body, buttons }: FilledParts,
  components: readonly unknown[],
  path: string,
  card: number | null,
): readonly Filled[] | null {
  const find = (type: string, index?: string) => {
    const at = components.findIndex(
      one => kindOf(one) === type && (index === undefined || String(field(one, 'index')) === index),
    )
    return { isThere: at >= 0, parameters: list(field(components[at], 'parameters')), here: `${path}/${at}/parameters` }
  }
  const prefix = card === null ? '' : `c${card}_`
  const first: Filled[] = []
  const sentHeader = find('header')
  const [shown] = sentHeader.parameters
  if (header.kind === 'text') {
    const value = text(field(shown, 'text'))
    first.push({ key: header.slot.variable, value, at: `${sentHeader.here}/0`, place: 'header', own: null })
  }
  if (header.kind === 'media') {
    const file = field(shown, header.format)
    const [id, link, fileName] = ['id', 'link', 'filename'].map(name => text(field(file, name)))
    const place = { at: `${sentHeader.here}/0`, place: 'header', own: null }
    first.push({ key: `${prefix}${id ? 'header' : 'header_link'}`, value: id ?? link ?? null, ...place })
    if (fileName && card === null) first.push({ key: 'header_filename', value: fileName, ...place })
  }
  const ofButtons: Filled[] = []
  for (const button of buttons) {
    const { index, kind } = button
    const { isThere, parameters, here } = find('button', index)
    const place = { at: `${here}/0`, place: `button ${index}` }
    const own = card === null ? null : ({ part: 'addresses', key: addressKey(card, Number(index)) } as const)
    if (kind === 'url') {
      ofButtons.push({ key: button.slot.variable, value: text(field(parameters[0], 'text')), ...place, own })
    } else if (kind === 'copyCode') {
      ofButtons.push({ key: copyCode, value: text(field(parameters[0], 'coupon_code')), ...place, own: null })
    } else if (isThere && kind !== 'code' && kind !== 'fixed') return null
  }
  const sentBody = find('body')
  if (sentBody.parameters.some(parameter => field(parameter, 'type') !== 'text')) return null
  const ofBody = body.slots.map((slot, at): Filled => {
    const place = sentBody.parameters.findIndex((one, n) => slotOf(one, n, body.slots)?.key === slot.key)
    return {
      key: slot.variable,
      value: text(field(sentBody.parameters[place], 'text')),
      at: `${sentBody.here}/${place < 0 ? at : place}`,
      place: 'body',
      own: card === null ? { part: 'body', key: slot.key } : null,
    }
  })
  return card === null ? [...first, ...ofButtons, ...ofBody] : [...first, ...ofBody, ...ofButtons]
}
