import type { StoreReads } from '../../db/contract/store.ts'
import { wantsNoMarketing } from '../inbound/preferences.ts'
import type { BatchReason } from '../message/batches.ts'
import type { SendCaller, SendRequest } from '../sending/request.ts'

const optedOut: BatchReason = { code: 'OPTED_OUT', message: 'The person wants no marketing messages.' }

/**
 * What is left out of a batch, and not even tried: marketing to who has asked for none. It would count, and the
 * platform would refuse it.
 * @returns why; null: it is sent
 */
export async function skipReason(
  read: Pick<StoreReads, 'contact' | 'contactsAt' | 'templates' | 'updates'>,
  { workspaceId }: Pick<SendCaller, 'workspaceId'>,
  { content, phone, contactId, userId }: SendRequest,
): Promise<BatchReason | null> {
  if (content.type !== 'template') return null
  const address = phone ?? userId ?? ''
  const contact =
    contactId === null
      ? (await read.contactsAt({ workspaceId, addresses: [address] })).get(address)
      : await read.contact({ workspaceId, contactId })
  if (!contact || !wantsNoMarketing(await read.updates(contact.id))) return null
  const templates = await read.templates({ workspaceId, approved: false, name: content.name })
  return templates.some(({ category }) => category === 'MARKETING') ? optedOut : null
}
