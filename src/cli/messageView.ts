import type { Message } from '../../db/records.ts'
import { failureReasonOf, type MessageTimes, timesOf } from '../message/state.ts'

/** A message as `--json` and the lists show it. */
export const messageView = (message: Message) => ({
  id: message.id,
  status: message.status,
  channelMessageId: message.channelMessageId,
  failureReason: failureReasonOf(message),
  ...shownTimes(timesOf(message)),
  createdAt: new Date(message.createdAt).toISOString(),
  type: message.type,
  recipient: message.recipient,
  contactId: message.contactId,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lineId: message.lineId,
  keyId: message.apiKeyId,
  idempotencyKey: message.idempotencyKey,
  requestId: message.requestId,
})

const shownTimes = ({ sentAt, deliveredAt, readAt }: MessageTimes) => ({
  sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
  deliveredAt: deliveredAt === null ? null : new Date(deliveredAt).toISOString(),
  readAt: readAt === null ? null : new Date(readAt).toISOString(),
})
