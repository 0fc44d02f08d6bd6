import { bodyCharsMax, offerBodyCharsMax } from '../base/upstreamLimits.ts'
import type { TemplateButton, TemplateComponent, TemplateRecord } from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'
import {
  emptyText,
  type ParameterFormat,
  parameterFormat,
  readText,
  type Slot,
  slot,
  type TextShape,
} from './markers.ts'

export type HeaderShape =
  /** No header, or one without values: a text without a placeholder. */
  | { readonly kind: 'fixed' }
  | { readonly kind: 'text'; readonly slot: Slot; readonly fixedChars: number }
  | { readonly kind: 'media'; readonly format: MediaFormat }
  /** Location, product and others: the API has no key for their values. */
  | { readonly kind: 'unsupported'; readonly format: string }

/**
 * `index` is the place among all buttons, those without a value included; a string, as on the wire. `base` is the fixed
 * part of an address, which the slot follows.
 */
export type ButtonShape = { readonly index: string } & (
  | { readonly kind: 'url'; readonly slot: Slot; readonly fixedChars: number; readonly base: string }
  /** An authentication template's button: it takes the same code as the body. */
  | { readonly kind: 'code' }
  | { readonly kind: 'copyCode' }
  | { readonly kind: 'catalog' }
  /** Its label is the title of the section that a send makes of one product. */
  | { readonly kind: 'multiProduct'; readonly label: string | undefined }
  | { readonly kind: 'flow' }
  | { readonly kind: 'quickReply' }
  /** An address without a variable, or a phone number: naming one in a send is refused by the upstream. */
  | { readonly kind: 'fixed'; readonly subType: string }
  /** What it takes is not known here. */
  | { readonly kind: 'other'; readonly subType: string }
)

export interface CardShape {
  readonly index: number
  readonly header: HeaderShape
  readonly body: TextShape
  readonly buttons: readonly ButtonShape[]
}

export interface TemplateStructure {
  readonly isAuthentication: boolean
  readonly header: HeaderShape
  readonly body: TextShape
  /** The maximum length of the filled body. */
  readonly bodyCharsMax: number
  readonly buttons: readonly ButtonShape[]
  /** Empty when the template has no carousel. */
  readonly cards: readonly CardShape[]
  /** A limited-time offer with a moment at which it ends. */
  readonly hasExpiringOffer: boolean
  /** The parts whose values only `templateComponents` can give, in words: "header is a location". */
  readonly unsupported: readonly string[]
}

type Components = readonly TemplateComponent[]

/**
 * Reads what a send of the template has to fill. Lenient: types in any case, fields may be missing, unknown components
 * are skipped (docs/upstream.md#templates).
 */
export function readStructure(template: TemplateRecord): TemplateStructure {
  const format = parameterFormat(template.parameter_format)
  const components = template.components ?? []
  const isAuthentication = template.category?.toUpperCase() === 'AUTHENTICATION'
  const header = readHeader(components, format)
  const hasExpiringOffer = find(components, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration === true
  const cards = (find(components, 'CAROUSEL')?.cards ?? []).map((card, index) =>
    readCard(card.components ?? [], index, format),
  )
  const body = readBody(components, format)
  return {
    isAuthentication,
    header,
    // docs/upstream.md#templates: a listed authentication body may have no text at all; its code is {{1}} anyway.
    body: isAuthentication && body.slots.length === 0 ? { ...body, slots: [slot('1')] } : body,
    bodyCharsMax: find(components, 'LIMITED_TIME_OFFER') ? offerBodyCharsMax : bodyCharsMax,
    buttons: readButtons(components, format, '', isAuthentication),
    cards,
    hasExpiringOffer,
    unsupported: [
      ...unsupportedHeader(header, 'its header'),
      ...(hasExpiringOffer ? ['its limited-time offer has an expiration time'] : []),
      ...cards.flatMap(card => unsupportedHeader(card.header, `the header of card ${card.index}`)),
    ],
  }
}

function readCard(components: Components, index: number, format: ParameterFormat): CardShape {
  const prefix = `c${index}_`
  const header = readHeader(components, format, prefix)
  return {
    index,
    // docs/upstream.md#carousel: image or video; there is no key for anything else.
    header: header.kind === 'text' ? { kind: 'unsupported', format: 'text' } : header,
    body: readBody(components, format, prefix),
    buttons: readButtons(components, format, prefix, false),
  }
}

function readHeader(components: Components, format: ParameterFormat, prefix = ''): HeaderShape {
  const header = find(components, 'HEADER')
  if (!header) return { kind: 'fixed' }
  const kind = header.format?.toUpperCase() ?? 'TEXT'
  switch (kind) {
    case 'TEXT': {
      // docs/upstream.md#template-messages: at most one variable in a header.
      const { slots, fixedChars } = readText(header.text ?? '', format, prefix)
      const [first] = slots
      return first ? { kind: 'text', slot: first, fixedChars } : { kind: 'fixed' }
    }
    case 'IMAGE':
      return { kind: 'media', format: 'image' }
    case 'VIDEO':
      return { kind: 'media', format: 'video' }
    case 'DOCUMENT':
      return { kind: 'media', format: 'document' }
    default:
      return { kind: 'unsupported', format: kind.toLowerCase() }
  }
}

function readBody(components: Components, format: ParameterFormat, prefix = ''): TextShape {
  const text = find(components, 'BODY')?.text
  return text === undefined ? emptyText : readText(text, format, prefix)
}

function readButtons(
  components: Components,
  format: ParameterFormat,
  prefix: string,
  isAuthentication: boolean,
): ButtonShape[] {
  const buttons = find(components, 'BUTTONS')?.buttons ?? []
  return buttons.map((button, place) => {
    const index = String(place)
    return isAuthentication && codeButtons.has(button.type.toUpperCase())
      ? { kind: 'code', index }
      : readButton(button, index, format, prefix)
  })
}

/** One-time-password buttons are created as `OTP` and listed as `URL` (docs/upstream.md#templates). */
const codeButtons: ReadonlySet<string> = new Set(['OTP', 'URL', 'COPY_CODE'])

function readButton(button: TemplateButton, index: string, format: ParameterFormat, prefix: string): ButtonShape {
  switch (button.type.toUpperCase()) {
    case 'URL': {
      // docs/upstream.md#templates: exactly one variable, at the end of the URL.
      const url = button.url ?? ''
      const { slots, fixedChars } = readText(url, format, prefix)
      const [first] = slots
      if (!first) return { kind: 'fixed', index, subType: 'url' }
      return { kind: 'url', index, slot: first, fixedChars, base: url.slice(0, url.indexOf('{{')) }
    }
    case 'COPY_CODE':
      return { kind: 'copyCode', index }
    case 'CATALOG':
      return { kind: 'catalog', index }
    case 'MPM':
      return { kind: 'multiProduct', index, label: button.text }
    case 'FLOW':
      return { kind: 'flow', index }
    case 'QUICK_REPLY':
      return { kind: 'quickReply', index }
    case 'PHONE_NUMBER':
      return { kind: 'fixed', index, subType: 'phone_number' }
    default:
      return { kind: 'other', index, subType: button.type.toLowerCase() }
  }
}

const find = (components: Components, type: string) =>
  components.find(component => component.type.toUpperCase() === type)

const unsupportedHeader = (header: HeaderShape, whose: string) =>
  header.kind === 'unsupported' ? [`${whose} is of the kind ${header.format}`] : []
