import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { Contact } from '../contract/records.ts'

/** What an event shows of a contact. */
export const toldContact = ({ id, phone, userId, name, username }: Contact) => ({ id, phone, userId, name, username })

/** @param changed its fields that have another value now */
export const contactUpdated = (contact: Contact, changed: readonly string[]): NewEvent =>
  eventAbout(contact.id, {
    workspaceId: contact.workspaceId,
    type: 'contact.updated',
    at: contact.updatedAt,
    recordedAt: contact.updatedAt,
    data: { contact: toldContact(contact), changed },
  })
