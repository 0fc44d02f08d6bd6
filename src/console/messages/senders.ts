import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { textOrNull } from '../shapes.ts'

/** Who sent a message: a removed member and a revoked key still have their name. */
export const senderSchema = closed(
  {
    kind: Type.Enum(['member', 'key'], { description: 'In the console, or a program.' }),
    id: textOrNull,
    name: textOrNull,
  },
  { description: 'The id and name of the member, null once neither account nor audit tells; those of the key.' },
)
export type Sender = Static<typeof senderSchema>

/** @returns who sent each of these messages of a workspace */
export async function sendersOf<Sent extends Pick<Message, 'id' | 'apiKeyId'>>(
  read: Pick<StoreReads, 'keys' | 'authors'>,
  workspaceId: string,
  messages: readonly Sent[],
): Promise<(message: Sent) => Sender> {
  const isAnyByKey = messages.some(({ apiKeyId }) => apiKeyId !== null)
  const [senderOf, labels] = await Promise.all([
    sendersNamed(read, messages),
    isAnyByKey ? read.keys(workspaceId).then(keyLabelsOf) : new Map<string, null>(),
  ])
  return message => senderOf(message, labels)
}

/** The same for who has the labels of the keys already: all keys of a workspace are read for them. */
export async function sendersNamed<Sent extends Pick<Message, 'id' | 'apiKeyId'>>(
  read: Pick<StoreReads, 'authors'>,
  messages: readonly Sent[],
): Promise<(message: Sent, keyLabels: ReadonlyMap<string, string | null>) => Sender> {
  const authors = await read.authors(messages.flatMap(({ id, apiKeyId }) => (apiKeyId === null ? id : [])))
  return ({ id, apiKeyId }, keyLabels) => {
    if (apiKeyId !== null) return { kind: 'key', id: apiKeyId, name: keyLabels.get(apiKeyId) ?? null }
    const { userId = null, name = null } = authors.get(id) ?? {}
    return { kind: 'member', id: userId, name }
  }
}
