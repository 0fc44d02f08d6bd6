import type { Message } from '../../../db/records.ts'
import { messageView } from '../../sending/view.ts'
import { picked } from '../shapes.ts'
import { messageSchema, type ShownMessage } from './schemas.ts'

/** A message as the console's lists show it: what the schema names of the stored one. */
export const shownMessage = (message: Message): ShownMessage =>
  picked(messageSchema, { ...message, ...messageView(message), keyId: message.apiKeyId })
