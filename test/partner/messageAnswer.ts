import { expect } from 'bun:test'
import { byNamedField } from '../../db/messageFields.ts'
import { timestamp } from '../timestamp.ts'

/** A sent message with every field that callers get, in the order of the contract. No other test lists them. */
const sentMessage = {
  id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
  status: 'SENT',
  channelMessageId: expect.stringMatching(/^wamid\./),
  failureReason: null as string | null,
  error: null as object | null,
  pricing: null,
  sentAt: timestamp,
  deliveredAt: null as string | null,
  readAt: null as string | null,
  createdAt: timestamp,
  sendAt: null as string | null,
  ...byNamedField((): string | null => null),
  type: 'text',
  to: { phone: '+4915112345678', contactId: null, userId: null } as object,
  lineId: expect.stringMatching(/^line_/),
  idempotentReplay: false,
}

/** The names of the fields. */
export const messageFields = Object.keys(sentMessage)

/** @returns what an answer must equal: a message that was just sent, but for these fields. */
export const messageAnswer = (fields: Partial<typeof sentMessage> = {}) => ({ ...sentMessage, ...fields })
