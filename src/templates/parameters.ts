import type { JsonObject } from '../base/json.ts'
import { sectionTitleCharsMax } from '../base/upstreamLimits.ts'
import type { ButtonAction, ComponentParameter, DraftComponent, MediaReference, PendingMedia } from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'
import type { Slot } from './markers.ts'
import { mediaParameter } from './media.ts'
import type { ButtonShape } from './structure.ts'

/**
 * One builder per component, so that the message and the cards write them alike (docs/upstream.md#template-messages).
 */

/** The `sub_type` of each kind of button. */
const subTypes = {
  url: 'url',
  code: 'url',
  copyCode: 'copy_code',
  catalog: 'catalog',
  multiProduct: 'mpm',
  flow: 'flow',
  quickReply: 'quick_reply',
} as const

/** @returns the `sub_type` of the component that fills a button */
export const subTypeOf = (button: ButtonShape): string =>
  button.kind === 'fixed' || button.kind === 'other' ? button.subType : subTypes[button.kind]

export function textParameter(slot: Slot, text: string): ComponentParameter {
  return slot.isNamed ? { type: 'text', parameter_name: slot.key, text } : { type: 'text', text }
}

export function urlButton(index: string, slot: Slot, text: string): DraftComponent {
  return { type: 'button', sub_type: subTypes.url, index, parameters: [textParameter(slot, text)] }
}

export function codeButton(index: string, code: string): DraftComponent {
  return { type: 'button', sub_type: subTypes.code, index, parameters: [{ type: 'text', text: code }] }
}

export function couponButton(index: string, coupon: string): DraftComponent {
  return {
    type: 'button',
    sub_type: subTypes.copyCode,
    index,
    parameters: [{ type: 'coupon_code', coupon_code: coupon }],
  }
}

const actionButton = (index: string, subType: string, action: ButtonAction): DraftComponent => ({
  type: 'button',
  sub_type: subType,
  index,
  parameters: [{ type: 'action', action }],
})

/** @param productId shown in the message; the whole catalog opens */
export const catalogButton = (index: string, productId: string): DraftComponent =>
  actionButton(index, subTypes.catalog, { thumbnail_product_retailer_id: productId })

/** One section with one product, which is shown in the message too. Its title is in the template's own language. */
export const multiProductButton = (index: string, label: string | undefined, productId: string): DraftComponent =>
  actionButton(index, subTypes.multiProduct, {
    thumbnail_product_retailer_id: productId,
    sections: [{ title: sectionTitle(label), product_items: [{ product_retailer_id: productId }] }],
  })

const sectionTitle = (label: string | undefined) =>
  label?.trim() ? [...label.trim()].slice(0, sectionTitleCharsMax).join('') : 'Products'

export function quickReplyButton(index: string, payload: string): DraftComponent {
  return { type: 'button', sub_type: subTypes.quickReply, index, parameters: [{ type: 'payload', payload }] }
}

/**
 * A flow button has to be named in the send, or the upstream refuses it (seen in the field with 131009). The token is
 * the upstream's own default, written out, unless the send gives one.
 */
export const flowButton = (index: string, token?: string, data?: JsonObject): DraftComponent =>
  actionButton(index, subTypes.flow, { flow_token: token ?? 'unused', ...(data && { flow_action_data: data }) })

export function mediaHeader(format: MediaFormat, media: MediaReference | PendingMedia): DraftComponent {
  return { type: 'header', parameters: [mediaParameter(format, media)] }
}
