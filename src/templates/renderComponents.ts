import type { Issue } from '../base/errors.ts'
import { nameInLink } from '../base/fileName.ts'
import { pointer } from '../base/issues.ts'
import { headerCharsMax, urlCharsMax } from '../base/upstreamLimits.ts'
import type { DraftComponent } from '../graph/wire.ts'
import { renderCarousel } from './carousel.ts'
import { filledProblem } from './filled.ts'
import type { TextShape } from './markers.ts'
import { givenMedia } from './media.ts'
import { type MediaSlot, noteProblem, type RenderNotes } from './notes.ts'
import {
  catalogButton,
  codeButton,
  couponButton,
  flowButton,
  mediaHeader,
  multiProductButton,
  textParameter,
  urlButton,
} from './parameters.ts'
import { type TemplateShape, takes } from './shape.ts'
import {
  checkRequired,
  checkVariables,
  noValues,
  readFlowData,
  suffixProblem,
  type TemplateValues,
  type TextMap,
  valueIn,
  valueProblem,
} from './values.ts'
import { copyCode, type Variable } from './variables.ts'

export type Rendered =
  | {
      readonly ok: true
      /** `placeMedia` makes them ready to be stored and sent, once the links are uploaded. */
      readonly components: DraftComponent[]
      /** The links in the components, each once, in their order; empty when the components can be sent as they are. */
      readonly media: MediaSlot[]
    }
  | { readonly ok: false; readonly issues: Issue[] }

/**
 * Fills a template from a send body. Reports every problem at once, with pointers into the body and
 * never with a value.
 *
 * - `templateVariables`: the number in `{{n}}` is the key; header, body and URL buttons with the same number get the
 *   same string (docs/partner-api.md#template-values).
 * - `bodyParameters` come after them and override the slots of the main body, of nothing else. A header or URL button
 *   that shares a number keeps the value of `templateVariables`; where there is none, it takes the one of
 *   `bodyParameters`, because nothing else can fill it.
 * - An authentication template's button takes the same code as its body (docs/upstream.md#template-messages).
 * - Only variable parts are sent: header, body, then buttons or carousel.
 */
export function renderTemplate(shape: TemplateShape, values: TemplateValues): Rendered {
  const variables = values.templateVariables ?? noValues
  const bodyParameters = values.bodyParameters ?? noValues
  const found: RenderNotes = { issues: [], media: [] }

  for (const what of shape.unsupported)
    found.issues.push({ path: '/templateComponents', message: `is required: ${what}, which no other field can fill` })
  checkVariables(shape, variables, found.issues)
  checkBodyParameters(shape, bodyParameters, found.issues)
  const isBodyParameter = ({ kind, key }: Variable) =>
    (kind === 'text' || kind === 'code') && Object.hasOwn(bodyParameters, key)
  checkRequired(shape.required, variables, isBodyParameter, found.issues)
  const components = renderMessage(shape, { variables, bodyParameters }, found)
  const carousel = renderCarousel(shape, values.carousel?.cards, variables, found)
  if (carousel) components.push(carousel)

  if (found.issues.length > 0) return { ok: false, issues: found.issues }
  return { ok: true, components, media: found.media }
}

function checkBodyParameters(shape: TemplateShape, bodyParameters: TextMap, issues: Issue[]): void {
  for (const key of Object.keys(bodyParameters)) {
    const isSlot = shape.body.slots.some(slot => slot.key === key)
    const problem = isSlot
      ? valueProblem(shape.isAuthentication ? 'code' : 'text', bodyParameters[key] ?? '')
      : `is not in the template's body; ${takes(shape.body.slots.map(slot => slot.key))}`
    if (problem) issues.push({ path: pointer('bodyParameters', key), message: problem })
  }
}

interface Given {
  readonly variables: TextMap
  readonly bodyParameters: TextMap
}

/** Everything but the carousel. Where a required value is missing the result is incomplete, and the issue is noted. */
function renderMessage(shape: TemplateShape, values: Given, found: RenderNotes): DraftComponent[] {
  const { variables, bodyParameters } = values
  const components: DraftComponent[] = []
  const code = shape.isAuthentication ? valueIn(variables, copyCode) : undefined
  const inBody = (key: string) => valueIn(bodyParameters, key) ?? valueIn(variables, key) ?? code ?? ''
  const elsewhere = (key: string) => valueIn(variables, key) ?? valueIn(bodyParameters, key) ?? ''

  const { header, body } = shape
  noteFilled(shape, { inBody, elsewhere }, values, found)
  if (header.kind === 'text')
    components.push({ type: 'header', parameters: [textParameter(header.slot, elsewhere(header.slot.key))] })
  if (header.kind === 'media') {
    const { format } = header
    const media = givenMedia(format, variables, '', found) ?? { link: '' }
    const filename =
      format === 'document'
        ? (valueIn(variables, 'header_filename') ?? nameInLink('link' in media ? media.link : ''))
        : undefined
    components.push(mediaHeader(format, { ...media, ...(filename !== undefined && { filename }) }))
  }
  if (body.slots.length > 0)
    components.push({ type: 'body', parameters: body.slots.map(slot => textParameter(slot, inBody(slot.key))) })

  for (const button of shape.buttons) {
    switch (button.kind) {
      case 'url':
        components.push(urlButton(button.index, button.slot, elsewhere(button.slot.key)))
        break
      case 'code':
        components.push(codeButton(button.index, inBody(body.slots[0]?.key ?? '1')))
        break
      case 'copyCode':
        components.push(couponButton(button.index, valueIn(variables, 'copy_code') ?? ''))
        break
      case 'catalog': {
        const productId = valueIn(variables, 'catalog_product_retailer_id')
        if (productId !== undefined) components.push(catalogButton(button.index, productId))
        break
      }
      case 'multiProduct': {
        const productId = valueIn(variables, 'catalog_product_retailer_id') ?? ''
        components.push(multiProductButton(button.index, button.label, productId))
        break
      }
      case 'flow': {
        const data = readFlowData(valueIn(variables, 'flow_action_data') ?? '')
        components.push(flowButton(button.index, valueIn(variables, 'flow_token'), data.ok ? data.data : undefined))
        break
      }
      case 'quickReply':
      case 'fixed':
      case 'other':
        break
    }
  }
  return components
}

/** Checks the filled lengths of header, body and addresses. A missing value has length 0 here. */
function noteFilled(
  { header, body, bodyCharsMax, buttons }: TemplateShape,
  value: Readonly<Record<'inBody' | 'elsewhere', (key: string) => string>>,
  { variables, bodyParameters }: Given,
  found: RenderNotes,
): void {
  const fieldOf = (key: string) => (Object.hasOwn(variables, key) ? 'templateVariables' : 'bodyParameters')
  const bodyField = body.slots.some(({ key }) => Object.hasOwn(bodyParameters, key))
    ? 'bodyParameters'
    : 'templateVariables'
  const check = (what: string, text: TextShape, textFor: (key: string) => string, charsMax: number, path: string) =>
    noteProblem(found, filledProblem(what, text, textFor, charsMax), () => path)

  if (header.kind === 'text') {
    const { slot, fixedChars } = header
    const path = pointer(fieldOf(slot.key), slot.key)
    check('the header', { slots: [slot], fixedChars }, value.elsewhere, headerCharsMax, path)
  }
  if (body.slots.length > 0) check('the body', body, value.inBody, bodyCharsMax, pointer(bodyField))
  for (const button of buttons) {
    if (button.kind !== 'url') continue
    const { index, slot, fixedChars, base } = button
    const path = pointer(fieldOf(slot.key), slot.key)
    noteProblem(found, suffixProblem(base, value.elsewhere(slot.key)), () => path)
    check(`the address of button ${index}`, { slots: [slot], fixedChars }, value.elsewhere, urlCharsMax, path)
  }
}
