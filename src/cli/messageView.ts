import type { Message } from '../../db/contract/records.ts'
import { fieldsOf } from '../../db/messageFields.ts'
import { messageView } from '../sending/view.ts'

/** A message as `--json` and the lists show it. */
export const fullMessageView = (message: Message) => ({
  ...messageView(message),
  ...fieldsOf(message),
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lineId: message.lineId,
  keyId: message.apiKeyId,
})
