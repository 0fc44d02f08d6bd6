import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { batchOfKey } from '../../message/batches.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { textOrNull } from '../shapes.ts'

/** Who sent a message: a removed member and a revoked key still have their name. */
export const senderSchema = closed(
  {
    kind: Type.Enum(['member', 'key', 'campaign'], { description: 'In the console, a program, or to many people.' }),
    id: textOrNull,
    name: textOrNull,
  },
  {
    description:
      'The id and name of the member, null once neither account nor audit tells; those of the key or campaign.',
  },
)
export type Sender = Static<typeof senderSchema>

type OfSender = Pick<Message, 'id' | 'apiKeyId'> & Partial<Pick<Message, 'idempotencyKey'>>

/** @returns who sent each of these messages of a workspace */
export async function sendersOf<Sent extends OfSender>(
  read: Pick<StoreReads, 'authors' | 'batch' | 'keys'>,
  workspaceId: string,
  messages: readonly Sent[],
): Promise<(message: Sent) => Sender> {
  const isAnyByKey = messages.some(({ apiKeyId }) => apiKeyId !== null)
  const [senderOf, labels] = await Promise.all([
    sendersNamed(read, workspaceId, messages),
    isAnyByKey ? read.keys(workspaceId).then(keyLabelsOf) : new Map<string, null>(),
  ])
  return message => senderOf(message, labels)
}

/** The same for who has the labels of the keys already: all keys of a workspace are read for them. */
export async function sendersNamed<Sent extends OfSender>(
  read: Pick<StoreReads, 'authors' | 'batch'>,
  workspaceId: string,
  messages: readonly Sent[],
): Promise<(message: Sent, keyLabels: ReadonlyMap<string, string | null>) => Sender> {
  const ofPeople = messages.filter(({ apiKeyId }) => apiKeyId === null)
  const campaignOf = ({ idempotencyKey = null }: OfSender) => batchOfKey(idempotencyKey)
  const batchIds = new Set(ofPeople.flatMap(message => campaignOf(message) ?? []))
  const [authors, batches] = await Promise.all([
    read.authors(ofPeople.map(({ id }) => id)),
    Promise.all([...batchIds].map(id => read.batch(id))),
  ])
  return (message, keyLabels) => {
    const { id, apiKeyId } = message
    if (apiKeyId !== null) return { kind: 'key', id: apiKeyId, name: keyLabels.get(apiKeyId) ?? null }
    const campaign = batches.find(batch => batch?.workspaceId === workspaceId && batch.id === campaignOf(message))
    if (campaign) return { kind: 'campaign', id: campaign.id, name: campaign.name }
    const { userId = null, name = null } = authors.get(id) ?? {}
    return { kind: 'member', id: userId, name }
  }
}
