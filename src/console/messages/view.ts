import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { failureWords } from '../../graph/failures.ts'
import { wordsOf } from '../../message/content.ts'
import { messageView } from '../../sending/view.ts'
import { picked } from '../shapes.ts'
import { type ListedMessage, messageSchema, type ShownMessage } from './schemas.ts'
import { sendersOf } from './senders.ts'

/** The beginning of a text that a list shows. */
export const wordsCharsMax = 200

/** A message as the console shows it: what the schema names of the stored one. */
export const shownMessage = (message: Message): ShownMessage =>
  picked(messageSchema, { ...message, ...messageView(message), keyId: message.apiKeyId })

/** Messages as a list shows them: with whom they went to, their first words, and why they failed. */
export async function listed(
  read: Pick<StoreReads, 'authors' | 'batch' | 'contactsAt' | 'keys' | 'messageContents'>,
  workspaceId: string,
  messages: readonly Message[],
): Promise<ListedMessage[]> {
  const [contacts, contents, senderOf] = await Promise.all([
    read.contactsAt({ workspaceId, addresses: [...new Set(messages.map(({ recipient }) => recipient))] }),
    read.messageContents(messages.map(({ id }) => id)),
    sendersOf(read, workspaceId, messages),
  ])
  return messages.map(message => {
    const contact = contacts.get(message.recipient)
    const payload = contents.get(message.id)
    return {
      ...shownMessage(message),
      sentBy: senderOf(message),
      contact: contact ? { id: contact.id, name: contact.name } : null,
      words: payload === undefined ? null : (wordsOf(payload).main?.slice(0, wordsCharsMax) ?? null),
      failure: failureWords(message),
    }
  })
}
