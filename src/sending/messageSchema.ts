import type { MessageStatusView } from '../../db/contract/records.ts'
import { byNamedField, meaningOf } from '../../db/messageFields.ts'
import { described, orNull, type Static, Type } from '../base/schema.ts'
import { type Pricing, pricingSchema } from '../message/pricing.ts'
import { messageView } from './view.ts'

const timestamp = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** What callers see of the fields that a send brings: texts, or null. */
const fieldSchemas = {
  ...byNamedField(name => orNull(Type.String(), { description: meaningOf(name) })),
  type: Type.String({ description: 'As in the send. The list is open: expect further values.', examples: ['text'] }),
}

const errorSchema = described('MessageError', 'A failure in its parts.', {
  code: orNull(Type.Integer(), { description: "The upstream platform's; null for a failure of this service." }),
  title: Type.String({ description: 'What it means, in a few words.' }),
  details: Type.String({ description: "The upstream platform's most exact words, or a sentence of this service." }),
})

const addressSchema = described('MessageRecipient', 'Who it was sent to, as far as that is known.', {
  phone: orNull(Type.String(), { description: '`+` and digits. Null: it was sent to a user id.' }),
  contactId: orNull(Type.String(), { description: 'The contact that the send named.' }),
  userId: orNull(Type.String(), {
    description: "The upstream platform's id of the user. Null: it was sent to a number.",
  }),
})

/** docs/partner-api.md#sending */
export const messageSchema = described('Message', 'A message as it stands now; timestamps are in UTC.', {
  id: Type.String({ description: 'The service message id (`msg_…`), for the status endpoint.' }),
  status: Type.String({
    description:
      '`SCHEDULED`: waits for `sendAt`. `QUEUED`: stored, not yet answered by the upstream platform. `SENT`: ' +
      'accepted by it. `DELIVERED`, `READ`: on ' +
      'the device, opened. `FAILED`: see `failureReason`. `UNKNOWN`: handed over, the answer was lost; a later ' +
      'callback settles it and it is never resent. `CANCELLED`: taken back before its time. The list is open: expect ' +
      'further values.',
    examples: ['SENT'],
  }),
  channelMessageId: Type.Union([Type.String(), Type.Null()], {
    description: "The upstream platform's id of the message, once it has accepted the send.",
  }),
  failureReason: Type.Union([Type.String(), Type.Null()], { description: 'Null when there is no failure.' }),
  error: orNull(errorSchema, { description: '`failureReason` in its parts.' }),
  pricing: orNull(pricingSchema),
  sentAt: timestamp('When the upstream platform accepted the message. Never before `createdAt`.'),
  deliveredAt: timestamp('Null until a delivery callback sets it. In whole seconds, but never before `sentAt`.'),
  readAt: timestamp('Null until a read callback sets it. In whole seconds, but never before `sentAt`.'),
  createdAt: Type.String({ format: 'date-time', description: 'When the send was accepted by this service.' }),
  sendAt: timestamp('When it is to be sent: as the send asked, or when quiet hours end; null: at once.'),
  ...fieldSchemas,
  to: addressSchema,
  lineId: Type.String({ description: 'The line that it is sent from (`line_…`).' }),
  idempotentReplay: Type.Boolean({
    description: 'True when this answer replays an earlier send with the same idempotency key.',
  }),
})

export const examplePricing: Pricing = { billable: true, type: 'regular', category: 'utility', model: 'PMP' }

/** A message of the API document's examples. */
export const exampleMessage = {
  id: 'msg_01jd4v7m9xf5ksxj1q5y8p0c3f',
  status: 'SENT',
  channelMessageId: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjQzRkIxRjA0',
  failureReason: null,
  error: null,
  pricing: null,
  sentAt: '2026-03-01T09:30:00.412Z',
  deliveredAt: null,
  readAt: null,
  createdAt: '2026-03-01T09:30:00.120Z',
  sendAt: null,
  ...byNamedField(() => null),
  type: 'text',
  to: { phone: '+4915112345678', contactId: null, userId: null },
  lineId: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
  idempotentReplay: false,
}

/** @returns the message as the contract shows it. */
export const shownMessage = (message: MessageStatusView, idempotentReplay: boolean): Static<typeof messageSchema> => ({
  ...messageView(message),
  idempotentReplay,
})
