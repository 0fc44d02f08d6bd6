import type { ComponentParameter, DraftComponent } from '../graph/wire.ts'
import type { MediaFormat } from '../message/media.ts'
import type { Slot } from './markers.ts'
import { mediaParameter } from './media.ts'

/**
 * One builder per component, so that the message and the cards write them alike (docs/upstream.md#template-messages).
 */

export function textParameter(slot: Slot, text: string): ComponentParameter {
  return slot.isNamed ? { type: 'text', parameter_name: slot.key, text } : { type: 'text', text }
}

export function urlButton(index: string, slot: Slot, text: string): DraftComponent {
  return { type: 'button', sub_type: 'url', index, parameters: [textParameter(slot, text)] }
}

export function codeButton(index: string, code: string): DraftComponent {
  return { type: 'button', sub_type: 'url', index, parameters: [{ type: 'text', text: code }] }
}

export function couponButton(index: string, coupon: string): DraftComponent {
  return { type: 'button', sub_type: 'copy_code', index, parameters: [{ type: 'coupon_code', coupon_code: coupon }] }
}

export function productButton(index: string, subType: 'catalog' | 'mpm', productId: string): DraftComponent {
  const action = { thumbnail_product_retailer_id: productId }
  return { type: 'button', sub_type: subType, index, parameters: [{ type: 'action', action }] }
}

export function quickReplyButton(index: string, payload: string): DraftComponent {
  return { type: 'button', sub_type: 'quick_reply', index, parameters: [{ type: 'payload', payload }] }
}

/**
 * A flow button has to be named in the send, or the upstream refuses it (seen in the field with 131009). The token is
 * the upstream's own default, written out.
 */
export function flowButton(index: string): DraftComponent {
  const action = { flow_token: 'unused' }
  return { type: 'button', sub_type: 'flow', index, parameters: [{ type: 'action', action }] }
}

export function mediaHeader(format: MediaFormat, media: { id: string } | { link: string }): DraftComponent {
  return { type: 'header', parameters: [mediaParameter(format, media)] }
}
