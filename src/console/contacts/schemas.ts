import type { Contact } from '../../../db/contract/records.ts'
import { searchLengthMax } from '../../base/names.ts'
import { digitsOf } from '../../base/phone.ts'
import { closed, Type } from '../../base/schema.ts'
import { iso, moment, orNull, picked, shape, textOrNull, wired, wiredQuery } from '../shapes.ts'

const cursorLengthMax = 100
const contactsMax = 100

export const contactsQuery = wiredQuery({
  q: Type.Optional(
    Type.String({
      maxLength: searchLengthMax,
      description: 'An id, or a part of the name, the username or the phone number.',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: cursorLengthMax, description: 'The page after this cursor.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: contactsMax })),
})

export const contactSchema = shape('Contact', {
  id: Type.String(),
  phone: textOrNull,
  userId: textOrNull,
  name: textOrNull,
  username: textOrNull,
  createdAt: moment,
  updatedAt: moment,
})

export const contactsAnswer = wired('ContactList', {
  contacts: Type.Array(
    closed({
      ...contactSchema.properties,
      unread: Type.Integer({ description: 'Messages that nobody has read.' }),
      windowEndsAt: orNull(moment, { description: 'Until when everything may be sent; null: only templates.' }),
    }),
    { description: 'Newest first.' },
  ),
  next: textOrNull,
})

export const contactAnswer = wired('ContactDetails', {
  contact: contactSchema,
  preferences: Type.Array(
    closed({ category: Type.String(), value: Type.String(), detail: textOrNull, at: Type.String() }),
    { description: 'Preferences of the person, as reported by the platform: `stop` or `resume` by category.' },
  ),
  flows: Type.Array(
    closed({
      messageId: Type.String(),
      lineId: Type.String(),
      openedAt: Type.String(),
      closedAt: textOrNull,
      closedBy: textOrNull,
    }),
  ),
})

export const forgottenAnswer = wired('ForgottenContact', {
  messages: Type.Integer({ description: 'Messages to it.' }),
  inbound: Type.Integer({ description: 'Messages from it.' }),
  isDone: Type.Boolean({ description: 'Whether all of its history is erased. Else that follows.' }),
})

export const shownContact = (contact: Contact) =>
  picked(contactSchema, { ...contact, createdAt: iso(contact.createdAt), updatedAt: iso(contact.updatedAt) })

/** @returns whom somebody means who writes this: by a part of the name, the username or the number */
export function meantBy(q = ''): { readonly name?: string; readonly digits?: string | undefined } {
  const name = q.trim()
  return name === '' ? {} : { name, digits: digitsOf(name) ?? undefined }
}
