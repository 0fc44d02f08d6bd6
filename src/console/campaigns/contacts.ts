import type { Contact } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { closed, Type } from '../../base/schema.ts'
import { contactName } from '../../operations/contacts.ts'
import { orNull } from '../shapes.ts'

/** Who an item is for, as people know the person. */
export const knownContact = orNull(closed({ id: Type.String(), name: Type.String() }), {
  description: 'The contact that it is for, with what it is called; null: there is none.',
})

const idPrefix = 'contact_'

/** @returns the items with their contacts: an item may name a contact, a number or a user id */
export async function itemsWithContacts<Item extends { readonly recipient: string | null }>(
  read: Pick<StoreReads, 'contact' | 'contactsAt'>,
  workspaceId: string,
  items: readonly Item[],
) {
  const named = [...new Set(items.flatMap(({ recipient }) => recipient ?? []))]
  const addresses = named.filter(name => !name.startsWith(idPrefix))
  const found = new Map<string, Contact>(await read.contactsAt({ workspaceId, addresses }))
  for (const contactId of named) {
    const contact = contactId.startsWith(idPrefix) ? await read.contact({ workspaceId, contactId }) : null
    if (contact) found.set(contactId, contact)
  }
  return items.map(item => {
    const contact = found.get(item.recipient ?? '')
    return { ...item, contact: contact ? { id: contact.id, name: contactName(contact) } : null }
  })
}
