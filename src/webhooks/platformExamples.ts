import type { LineAddress } from '../../db/contract/webhookDelivery.ts'
import type { PlatformType, platformLineTypes } from '../base/eventTypes.ts'
import { callbackContact, metadataOf } from './platformCallback.ts'

/** That of the platform's own examples. */
export const exampleLine: LineAddress = {
  accountId: '102290129340398',
  upstreamPhoneId: '106540352242922',
  number: '+15550783881',
}
export const exampleWaId = '4915112345678'

const template = {
  message_template_id: 1689556908129832,
  message_template_name: 'order_confirmation',
  message_template_language: 'en-US',
}
const optOut = {
  ...{ wa_id: exampleWaId, detail: 'User requested to stop marketing messages', category: 'marketing_messages' },
  ...{ value: 'stop', timestamp: 1772357402 },
}
type OtherType = Exclude<PlatformType, (typeof platformLineTypes)[number]>

const amount = { value: 21_000, offset: 100 }
/** What a status says of a payment (docs/upstream.md#status-updates). */
export const examplePayment = {
  ...{ reference_id: 'order-17', amount, currency: 'INR' },
  transaction: { id: 'order_SdrcSSqobZ7voR', type: 'razorpay', status: 'success', amount, currency: 'INR' },
}

/** Changes that are about no message (docs/upstream.md#account-updates). */
export const exampleChanges: Readonly<Record<OtherType, { readonly field: string; readonly value: object }>> = {
  'contact.preference_changed': {
    field: 'user_preferences',
    value: {
      ...metadataOf(exampleLine),
      contacts: [callbackContact({ name: 'Ada', username: null, waId: exampleWaId, userId: null })],
      user_preferences: [optOut],
    },
  },
  'template.quality_changed': {
    field: 'message_template_quality_update',
    value: { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW', ...template },
  },
  'template.reported': {
    field: 'message_template_status_update',
    value: { event: 'APPROVED', ...template, reason: 'NONE', message_template_category: 'UTILITY' },
  },
  'channel.alert': {
    field: 'account_update',
    value: { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } },
  },
}
