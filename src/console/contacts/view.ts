import type { Contact } from '../../../db/contract/records.ts'
import { digitsOf } from '../../base/phone.ts'
import { iso, picked } from '../shapes.ts'
import { contactSchema } from './schemas.ts'

export const shownContact = (contact: Contact) =>
  picked(contactSchema, { ...contact, createdAt: iso(contact.createdAt), updatedAt: iso(contact.updatedAt) })

/** @returns whom somebody means who writes this: by a part of the name, the username or the number */
export function meantBy(q = ''): { readonly name?: string; readonly digits?: string | undefined } {
  const name = q.trim()
  return name === '' ? {} : { name, digits: digitsOf(name) ?? undefined }
}
