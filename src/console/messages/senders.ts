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
export async function sendersOf(
  read: Pick<StoreReads, 'keys' | 'messageAuthors'>,
  workspaceId: string,
  messages: readonly Message[],
): Promise<(message: Message) => Sender> {
  const written = messages.filter(({ apiKeyId }) => apiKeyId === null)
  const [authors, keys] = await Promise.all([
    read.messageAuthors(written.map(({ id }) => id)),
    written.length === messages.length ? [] : read.keys(workspaceId),
  ])
  const labels = keyLabelsOf(keys)
  return ({ id, apiKeyId }) => {
    if (apiKeyId !== null) return { kind: 'key', id: apiKeyId, name: labels.get(apiKeyId) ?? null }
    const { userId = null, name = null } = authors.get(id) ?? {}
    return { kind: 'member', id: userId, name }
  }
}
