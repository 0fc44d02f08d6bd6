import type { TemplateButton, TemplateComponent } from '../graph/wire.ts'
import type { ButtonShape, CardShape } from './structure.ts'
import { suffixProblem, valueProblem } from './values.ts'
import type { VariableKind } from './variables.ts'

/** A value for each place of a message or of a card; places that share a key may have different ones. */
export interface PlaceExamples {
  /** Of a header text's slot. */
  readonly header: string
  /** Of a media header. */
  readonly headerLink: string
  /** Of the body's slots, by what stands between the braces. */
  readonly body: ReadonlyMap<string, string>
  /** Of the URL buttons with a slot, by the button's index. */
  readonly urls: ReadonlyMap<string, string>
  readonly coupon: string
}

/** What is filled in a message or in a card. */
export type FilledParts = Pick<CardShape, 'header' | 'body' | 'buttons'>

/** Used where the template has no example that can be sent. */
export const standIns: Readonly<Record<VariableKind, string>> = {
  text: 'example',
  code: '123456',
  coupon: 'SAVE20',
  product: 'SKU',
  link: 'https://example.com/header',
  mediaId: '1',
  fileName: 'document.pdf',
  flowToken: 'unused',
  flowData: '{"name":"Ada"}',
}

const sendable = (kind: VariableKind, example: string | undefined) =>
  example !== undefined && valueProblem(kind, example) === undefined ? example : undefined

/**
 * The examples that came with the template, place by place. A place without one that can be sent uses that of a place
 * with the same key (body, header, URL buttons), else a default.
 */
export function readExamples(
  { header, body, buttons }: FilledParts,
  components: readonly TemplateComponent[],
  kind: 'text' | 'code',
): PlaceExamples {
  const own = ownExamples({ header, body, buttons }, components)
  const shared = new Map<string, string>()
  const note = (key: string, example: string | undefined) => {
    const text = sendable(kind, example)
    if (text !== undefined && !shared.has(key)) shared.set(key, text)
  }
  const urlSlots = buttons.flatMap(button =>
    button.kind === 'url' ? [{ index: button.index, base: button.base, ...button.slot }] : [],
  )
  for (const { key } of body.slots) note(key, own.body.get(key))
  if (header.kind === 'text') note(header.slot.key, own.header)
  for (const { index, key } of urlSlots) note(key, own.urls.get(index))

  const textFor = (key: string, example: string | undefined) =>
    sendable(kind, example) ?? shared.get(key) ?? standIns[kind]
  return {
    header: header.kind === 'text' ? textFor(header.slot.key, own.header) : '',
    headerLink: sendable('link', own.headerLink) ?? standIns.link,
    body: new Map(body.slots.map(({ key }) => [key, textFor(key, own.body.get(key))])),
    urls: new Map(
      urlSlots.map(({ index, key, base }) => {
        const text = textFor(key, own.urls.get(index))
        return [index, suffixProblem(base, text) === undefined ? text : standIns[kind]]
      }),
    ),
    coupon: sendable('coupon', own.coupon) ?? standIns.coupon,
  }
}

interface OwnExamples {
  readonly header: string | undefined
  readonly headerLink: string | undefined
  readonly body: ReadonlyMap<string, string>
  readonly urls: ReadonlyMap<string, string>
  readonly coupon: string | undefined
}

function ownExamples({ buttons }: FilledParts, components: readonly TemplateComponent[]): OwnExamples {
  const find = (type: string) => components.find(component => component.type.toUpperCase() === type)
  const header = find('HEADER')?.example
  const body = find('BODY')?.example
  const listed = find('BUTTONS')?.buttons ?? []
  const coupon = listed.find(button => button.type.toUpperCase() === 'COPY_CODE')
  return {
    header: header?.header_text?.[0] ?? header?.header_text_named_params?.[0]?.example,
    // A listing holds an address here, a creation request a handle that cannot be sent (docs/upstream.md#templates).
    headerLink: header?.header_handle?.[0],
    body: new Map([
      ...bodyTexts(body?.body_text).map((text, at) => [String(at + 1), text] as const),
      ...(body?.body_text_named_params ?? []).map(({ param_name, example }) => [param_name, example] as const),
    ]),
    urls: new Map(buttons.flatMap(shape => urlExample(shape, listed[Number(shape.index)]))),
    coupon: coupon && firstExample(coupon),
  }
}

/** One row of texts, however deep it is wrapped: a bare string was seen (docs/upstream.md#templates). */
function bodyTexts(bodyText: string | readonly (string | readonly string[])[] | undefined): readonly string[] {
  if (bodyText === undefined) return []
  if (typeof bodyText === 'string') return [bodyText]
  const [first] = bodyText
  return typeof first === 'object' ? first : bodyText.filter(text => typeof text === 'string')
}

/** @returns index and suffix: the example may be the whole address, a send takes only what replaces the placeholder. */
function urlExample(shape: ButtonShape, button: TemplateButton | undefined): [index: string, suffix: string][] {
  const example = button && firstExample(button)
  if (shape.kind !== 'url' || example === undefined) return []
  const { index, base } = shape
  return [[index, example.startsWith(base) ? example.slice(base.length) : example]]
}

const firstExample = ({ example }: TemplateButton) => (typeof example === 'string' ? example : example?.[0])
