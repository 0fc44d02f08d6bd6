import type { TemplateRecord } from '../graph/wire.ts'
import {
  type ButtonShape,
  type CardShape,
  type HeaderShape,
  readStructure,
  type TemplateStructure,
} from './structure.ts'

/** What kind of value a key of `templateVariables` takes; each kind has its own check. */
export type VariableKind =
  | 'text'
  | 'code'
  | 'coupon'
  | 'product'
  | 'link'
  | 'mediaId'
  | 'fileName'
  | 'flowToken'
  | 'flowData'

export interface Variable {
  readonly key: string
  readonly kind: VariableKind
  /** Why a send without it is refused; null when it may be left out. */
  readonly requiredBy: string | null
  /** The card it belongs to; null for the message itself. */
  readonly card: number | null
  /** The places that it fills, in words: "header", "body", "URL button 0". */
  readonly places: readonly string[]
  /** The other key that gives the same thing: a header's link and its id. One of the two is needed, never both. */
  readonly alternative: string | null
}

/** A key that fills several places with one value, although the template may want different ones there. */
export interface SharedVariable {
  readonly variable: string
  readonly places: readonly string[]
}

/** What fills a template, for those who write a send of it. */
export interface Requirements {
  readonly sendableWith: 'templateVariables' | 'templateComponents'
  /** The parts that no key can fill, in words: with any, only `templateComponents` can. */
  readonly needsComponents: readonly string[]
  /**
   * The keys of `templateVariables` that a send must fill, in this order: header, body and URL button placeholders,
   * `copy_code`, `header_link`, `catalog_product_retailer_id` of a multi-product button, then for each card
   * `c{n}_header_link` and its placeholders. Each key once: a body `{{1}}` and a URL button `{{1}}` share it
   * (docs/partner-api.md#template-values). None where keys alone cannot fill the template.
   */
  readonly variables: readonly string[]
  /** The keys that more than one place takes its value from. */
  readonly sharedVariables: readonly SharedVariable[]
}

export function readRequirements(template: TemplateRecord): Requirements {
  const structure = readStructure(template)
  const needsComponents = structure.unsupported
  const variables = needsComponents.length > 0 ? [] : readVariables(structure)
  return {
    sendableWith: needsComponents.length > 0 ? 'templateComponents' : 'templateVariables',
    needsComponents,
    variables: variables.filter(({ requiredBy }) => requiredBy !== null).map(({ key }) => key),
    sharedVariables: variables
      .filter(({ places }) => places.length > 1)
      .map(({ key, places }) => ({ variable: key, places })),
  }
}

/** The code of a copy-code button. */
export const copyCode = 'copy_code'

/** Every key that a send of this template may carry, the required ones first for the message and for each card. */
export function readVariables(structure: TemplateStructure): Variable[] {
  const { header, body, buttons, cards, isAuthentication } = structure
  const has = (kind: ButtonShape['kind']) => buttons.some(button => button.kind === kind)
  return [
    ...(isAuthentication
      ? placeholders({ header, body, buttons }, null, 'code').flatMap(codeVariables)
      : placeholders({ header, body, buttons }, null, 'text')),
    ...(has('copyCode') ? [variable(copyCode, 'coupon', 'the template has a copy-code button')] : []),
    ...headerMedia(header, '', "the template's header", null),
    ...(has('multiProduct') ? [variable('catalog_product_retailer_id', 'product', multiProduct)] : []),
    ...(has('catalog') ? [variable('catalog_product_retailer_id', 'product', null)] : []),
    ...(has('flow') ? [variable('flow_token', 'flowToken', null), variable('flow_action_data', 'flowData', null)] : []),
    ...cards.flatMap(cardVariables),
  ]
}

/** The contract has two keys for a code: the number of the placeholder, and the one of copy-code buttons. */
const codeVariables = (code: Variable): Variable[] => [
  { ...code, alternative: copyCode },
  { ...variable(copyCode, 'code', null), alternative: code.key },
]

const multiProduct =
  'the template has a multi-product button, which opens with this product (or give its sections by templateComponents)'

function cardVariables(card: CardShape): Variable[] {
  return [
    ...headerMedia(card.header, `c${card.index}_`, `card ${card.index}'s header`, card.index),
    ...placeholders(card, card.index, 'text'),
  ]
}

/** The link, which is the recommended way, and the media id that may stand in its place. */
function headerMedia(header: HeaderShape, prefix: string, whose: string, card: number | null): Variable[] {
  if (header.kind !== 'media') return []
  const link = `${prefix}header_link`
  const id = `${prefix}header`
  const requiredBy = `${whose} is ${an(header.format)} (or give its media id as ${id})`
  return [
    { key: link, kind: 'link', requiredBy, card, places: ['header'], alternative: id },
    { key: id, kind: 'mediaId', requiredBy: null, card, places: ['header'], alternative: link },
    // docs/upstream.md#carousel: a card shows an image or a video, which have no name.
    ...(header.format === 'document' && card === null ? [variable('header_filename', 'fileName', null)] : []),
  ]
}

interface Placeholders {
  readonly header: HeaderShape
  readonly body: CardShape['body']
  readonly buttons: readonly ButtonShape[]
}

/** The placeholder keys, each once, with all the places that need it. */
function placeholders({ header, body, buttons }: Placeholders, card: number | null, kind: VariableKind): Variable[] {
  const of = card === null ? 'the template' : `card ${card}`
  const places = new Map<string, { marker: string; names: string[] }>()
  const note = (key: string, marker: string, place: string) => {
    const known = places.get(key)
    if (known) known.names.push(place)
    else places.set(key, { marker, names: [place] })
  }
  if (header.kind === 'text') note(header.slot.variable, header.slot.key, 'header')
  for (const slot of body.slots) note(slot.variable, slot.key, 'body')
  for (const button of buttons) {
    if (button.kind === 'url') note(button.slot.variable, button.slot.key, `URL button ${button.index}`)
  }
  return [...places].map(([key, { marker, names }]) =>
    variable(key, kind, `${of}'s ${listed(names)} ${names.length > 1 ? 'have' : 'has'} {{${marker}}}`, card, names),
  )
}

function variable(
  key: string,
  kind: VariableKind,
  requiredBy: string | null,
  card: number | null = null,
  places: readonly string[] = [],
): Variable {
  return { key, kind, requiredBy, card, places, alternative: null }
}

const an = (format: string) => (/^[aeiou]/.test(format) ? `an ${format}` : `a ${format}`)

/** "header, body and URL button 0" */
const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
