import type { Message } from '../../../db/records.ts'
import { messageView } from '../../messages/view.ts'
import type { ShownMessage } from './schemas.ts'

/** A message as the console's lists show it. */
export const shownMessage = (message: Message): ShownMessage => ({
  ...messageView(message),
  type: message.type,
  templateName: message.templateName,
  recipient: message.recipient,
  contactId: message.contactId,
  lineId: message.lineId,
  channelId: message.channelId,
  keyId: message.apiKeyId,
  idempotencyKey: message.idempotencyKey,
  requestId: message.requestId,
})
