import type { Contact } from '../../db/contract/records.ts'
import { newId } from '../base/ids.ts'
import { atUsername } from '../base/names.ts'
import { phoneLengthMax, readPhone } from '../base/phone.ts'
import { orNull, Type } from '../base/schema.ts'
import { usernameMeaning } from '../inbound/inboundSchema.ts'
import { type Actor, conflict, existing, ownOf, Refused, wrongField } from './act.ts'
import { nameField, nameIn } from './fields.ts'

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

/** What is said of somebody who is added. */
export const newContactFields = {
  phone: Type.String({ maxLength: phoneLengthMax, description: 'The number, with its country code.' }),
  name: Type.Optional(nameField),
}

/**
 * Adds a contact by its number.
 * @returns it; or the one that has this number already, which stays as it is
 */
export async function addContact(
  actor: Pick<Actor, 'read' | 'write' | 'clock'>,
  workspaceId: string,
  { phone, name }: { readonly phone: string; readonly name?: string },
): Promise<{ readonly contact: Contact; readonly isNew: boolean } | Refused> {
  const number = readPhone(phone)
  if (!number.ok) return wrongField('/phone', number.problem)
  const named = nameIn(name, '/name')
  if (named instanceof Refused) return named
  const { contacts } = await actor.read.searchContacts({ workspaceId, phone: number.number, limit: 1, scan: 1 })
  const [known] = contacts
  if (known) return { contact: known, isNew: false }
  const id = newId('contact')
  const added = { id, phone: number.number, name: named ?? null, ifNew: true }
  const contact = await saveContact(actor, workspaceId, added)
  // Another one may have added it meanwhile.
  return contact instanceof Refused ? contact : { contact, isNew: contact.id === id }
}

/**
 * Adds a contact, or gives the one with this number its new name; `ifNew`: that one stays as it is.
 * @param id of a new one
 * @param phone `+` and digits
 */
export async function saveContact(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  workspaceId: string,
  {
    id = newId('contact'),
    phone,
    name,
    ifNew = false,
  }: { readonly id?: string; readonly phone: string; readonly name: string | null; readonly ifNew?: boolean },
): Promise<Contact | Refused> {
  const at = clock.now()
  const contact = { id, workspaceId, phone, userId: null, name, createdAt: at, updatedAt: at }
  return existing(await write.saveContact({ ...contact, ifNew }), 'workspace', workspaceId)
}

/** What a contact is called; null: by its number or user id. */
export const contactNameField = orNull(nameField)

/** Names a contact. The person's own name takes its place with the next message that shows one. */
export async function renameContact(actor: Actor, contactId: string, name: string | null): Promise<Contact | Refused> {
  const named = nameIn(name, '/name')
  if (named instanceof Refused) return named
  const contact = await contactOf(actor, contactId)
  if (contact instanceof Refused) return contact
  const { id, workspaceId } = contact
  const renamed = await actor.write.renameContact({ workspaceId, contactId: id, name: named, at: actor.clock.now() })
  return renamed ?? conflict('The contact was forgotten: it gets no name.')
}
