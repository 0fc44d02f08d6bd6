import type { Contact } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { digitsOf } from '../../base/phone.ts'
import { found } from '../refusals.ts'
import { iso, picked } from '../shapes.ts'
import { contactSchema } from './schemas.ts'

/** @throws GatewayError NOT_FOUND, the same for a contact of another workspace */
export const contactOf = async (
  read: Pick<StoreReads, 'contact'>,
  workspaceId: string,
  contactId: string,
): Promise<Contact> => found(await read.contact({ workspaceId, contactId }), 'contact')

export const shownContact = (contact: Contact) =>
  picked(contactSchema, { ...contact, createdAt: iso(contact.createdAt), updatedAt: iso(contact.updatedAt) })

/** @returns whom somebody means who writes this: by a part of the name, the username or the number */
export function meantBy(q = ''): { readonly name?: string; readonly digits?: string | undefined } {
  const name = q.trim()
  return name === '' ? {} : { name, digits: digitsOf(name) ?? undefined }
}
