import type { Contact } from '../../../db/records.ts'
import type { StoreReads } from '../../../db/store.ts'
import { found } from '../refusals.ts'
import { iso, isoOrNull, picked } from '../shapes.ts'
import { contactSchema } from './schemas.ts'

/** Flows of a contact that its page shows. */
const flowsMax = 50

/** @throws GatewayError NOT_FOUND, the same for a contact of another workspace */
export const contactOf = async (
  read: Pick<StoreReads, 'contact'>,
  workspaceId: string,
  contactId: string,
): Promise<Contact> => found(await read.contact({ workspaceId, contactId }), 'contact')

export const shownContact = (contact: Contact) =>
  picked(contactSchema, { ...contact, createdAt: iso(contact.createdAt), updatedAt: iso(contact.updatedAt) })

export async function flowsOf(read: Pick<StoreReads, 'flowSessions'>, contactId: string) {
  const sessions = await read.flowSessions(contactId)
  return sessions.slice(0, flowsMax).map(({ messageId, lineId, openedAt, closedAt, closedBy }) => ({
    messageId,
    lineId,
    openedAt: iso(openedAt),
    closedAt: isoOrNull(closedAt),
    closedBy,
  }))
}
