import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { failureWords } from '../../graph/failures.ts'
import { isVoice, wordsOf } from '../../message/content.ts'
import { hasFailed } from '../../message/statuses.ts'
import { messageView } from '../../sending/view.ts'
import { bubblesOf } from '../../templates/bubble.ts'
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
  read: Pick<
    StoreReads,
    'authors' | 'batch' | 'contactsAt' | 'keys' | 'messageContents' | 'sentAgainAs' | 'templatesNamed'
  >,
  workspaceId: string,
  messages: readonly Message[],
): Promise<ListedMessage[]> {
  const [contacts, contents, senderOf] = await Promise.all([
    read.contactsAt({ workspaceId, addresses: [...new Set(messages.map(({ recipient }) => recipient))] }),
    read.messageContents(messages.map(({ id }) => id)),
    sendersOf(read, workspaceId, messages),
  ])
  const bubbleOf = bubblesOf(read)
  async function firstWords(message: Message): Promise<string | null> {
    const payload = contents.get(message.id)
    if (payload === undefined) return null
    const filled = message.type === 'template' ? (await bubbleOf(message, payload)).bubble?.draft.body.text : null
    return (filled || wordsOf(payload).main)?.slice(0, wordsCharsMax) ?? null
  }
  return Promise.all(
    messages.map(async message => {
      const contact = contacts.get(message.recipient)
      return {
        ...shownMessage(message),
        sentBy: senderOf(message),
        contact: contact ? { id: contact.id, name: contact.name } : null,
        words: await firstWords(message),
        isVoice: isVoice(contents.get(message.id) ?? ''),
        failure: failureWords(message),
        isSentAgain: hasFailed(message.status) && (await read.sentAgainAs(message.id)).length > 0,
      }
    }),
  )
}
