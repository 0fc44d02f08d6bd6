import type { PaymentReport } from '../../db/contract/records.ts'
import { detailCharsMax, idCharsMax } from '../../db/contract/updates.ts'
import type { Details } from '../base/errors.ts'
import { paymentStatuses } from '../base/eventTypes.ts'
import { newId } from '../base/ids.ts'
import { field, isObject, text, timestamp } from '../base/json.ts'
import { bounded, upstreamPhoneIdOf } from './people.ts'
import { recipientOf } from './status.ts'

/** What is kept of a payment. Who paid, and to whom, is known by its message. */
const paymentFields = ['reference_id', 'amount', 'currency', 'transaction', 'receipt', 'notes']

/** A notice may also be named otherwise than its message, and the message may be another system's. */
const callbackFields = ['id', 'status', 'timestamp', 'recipient_id', 'recipient_user_id', 'type']

/**
 * Reads the status of a payment (docs/upstream.md#status-updates). One without a time gets the time of arrival.
 * @param entry the entry that holds `value`, and `value` the status and its line
 * @returns null for an unknown status, or without an id
 */
export function readPayment(part: unknown, entry: unknown, value: unknown, receivedAt: number): PaymentReport | null {
  const channelMessageId = bounded(text(field(part, 'id')))
  const status = paymentStatuses.find(known => known === field(part, 'status'))
  if (channelMessageId === null || !status) return null
  const { phone, userId } = recipientOf(part, value)
  const detail = paymentOf(part)
  const told = { ...picked(part, callbackFields), payment: detail }
  const line = picked(value, ['messaging_product', 'metadata'])
  return {
    channelMessageId,
    messageId: text(field(part, 'biz_opaque_callback_data')),
    status,
    at: timestamp(field(part, 'timestamp')) ?? receivedAt,
    detail,
    callback: { id: field(entry, 'id'), changes: [{ field: 'messages', value: { ...line, statuses: [told] } }] },
    to: { upstreamPhoneId: upstreamPhoneIdOf(value), phone, userId },
    newContactId: newId('contact'),
  }
}

/** @returns what a status says of its payment; of one that is too long, what it is known by */
export function paymentOf(part: unknown): Details {
  const payment = field(part, 'payment')
  if (!isObject(payment)) return {}
  const kept = picked(payment, paymentFields)
  if (JSON.stringify(kept).length <= detailCharsMax) return kept
  const reference = text(kept.reference_id)?.slice(0, idCharsMax)
  return { ...(reference && { reference_id: reference }), cut: true }
}

const picked = (value: unknown, names: readonly string[]): Details =>
  Object.fromEntries(names.flatMap(name => (field(value, name) === undefined ? [] : [[name, field(value, name)]])))
