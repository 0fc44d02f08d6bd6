import type { Message } from './records.ts'

/** @returns what is polled of a message: of its columns as of a message itself, all but these. */
export const statusViewOf = <Fields extends Readonly<Record<keyof Message, unknown>>>({
  channelId,
  lineId,
  contactId,
  recipient,
  type,
  templateName,
  apiKeyId,
  idempotencyKey,
  requestId,
  ...statusView
}: Fields) => statusView
