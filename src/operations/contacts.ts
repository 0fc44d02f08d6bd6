import type { Contact } from '../../db/contract/records.ts'
import { newId } from '../base/ids.ts'
import { atUsername } from '../base/names.ts'
import { type Actor, existing, ownOf, type Refused } from './act.ts'

/** The contact, which the actor may see. The id of a merged one finds the contact that it turned out to be. */
export const contactOf = async (
  actor: Pick<Actor, 'read' | 'workspaceId'>,
  contactId: string,
): Promise<Contact | Refused> => ownOf(actor, await actor.read.contactById(contactId), 'contact', contactId)

/** What people call a contact; of one that was forgotten only the id is left. */
export const contactName = ({ id, name, phone, username, userId }: Contact): string =>
  name ?? phone ?? atUsername(username) ?? userId ?? id

/** Adds a contact, or gives the one with this number its new name. @param phone `+` and digits */
export async function saveContact(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  workspaceId: string,
  { phone, name }: { readonly phone: string; readonly name: string | null },
): Promise<Contact | Refused> {
  const at = clock.now()
  const contact = { id: newId('contact'), workspaceId, phone, userId: null, name, createdAt: at, updatedAt: at }
  return existing(await write.saveContact(contact), 'workspace', workspaceId)
}
