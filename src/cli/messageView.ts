import type { Message } from '../../db/records.ts'
import { messageView } from '../sending/view.ts'

/** A message as `--json` and the lists show it. */
export const fullMessageView = (message: Message) => ({
  ...messageView(message),
  type: message.type,
  templateName: message.templateName,
  recipient: message.recipient,
  contactId: message.contactId,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lineId: message.lineId,
  keyId: message.apiKeyId,
  idempotencyKey: message.idempotencyKey,
  requestId: message.requestId,
})
