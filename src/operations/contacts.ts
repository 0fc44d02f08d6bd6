import type { Contact } from '../../db/contract/records.ts'
import { newId } from '../base/ids.ts'
import { atUsername } from '../base/names.ts'
import { orNull, Type } from '../base/schema.ts'
import { usernameMeaning } from '../inbound/inboundSchema.ts'
import { type Actor, existing, ownOf, type Refused } from './act.ts'

const moment = (description: string) => Type.String({ format: 'date-time', description })

/** What callers and the page see of a contact. */
export const contactFields = {
  id: Type.String({ description: 'The contact (`contact_…`), for `contactId`.' }),
  phone: orNull(Type.String(), {
    description: '`+` and digits. Null for a user who is known by the user id alone, and for one who was erased.',
  }),
  name: orNull(Type.String(), { description: 'As the user calls itself, or as it was entered here.' }),
  username: orNull(Type.String(), { description: usernameMeaning }),
  userId: orNull(Type.String(), { description: "The upstream platform's id of the user for this business." }),
  createdAt: moment('When this service first knew it.'),
  updatedAt: moment('When this service last heard of it: each message that comes counts.'),
}

/** @returns a contact as `contactFields` describes it */
export const contactView = ({ id, phone, name, username, userId, createdAt, updatedAt }: Contact) => ({
  ...{ id, phone, name, username, userId },
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
})

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
