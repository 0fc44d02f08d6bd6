import { keepPreviousData } from '@tanstack/react-query'
import { figuresPauseMs } from '../../api/live.tsx'
import { useLiveQuery } from '../../app/workspaceData.ts'
import { texts } from '../../texts/texts.ts'

export const useContacts = (query: Readonly<Record<string, string>>) =>
  useLiveQuery(['contacts'], ['contacts', query], routes => routes.contacts.get({ query }), {
    placeholderData: keepPreviousData,
    pauseMs: figuresPauseMs,
  })
export type ListedContact = NonNullable<ReturnType<typeof useContacts>['data']>['contacts'][number]

export const useContact = (contactId: string) =>
  useLiveQuery(['contacts'], ['contacts', contactId], routes => routes.contacts({ contactId }).get())
export type ContactDetails = NonNullable<ReturnType<typeof useContact>['data']>

/** A username as people write it. */
export const usernameOf = ({ username }: Pick<ListedContact, 'username'>) => username && `@${username}`

/** What tells a contact from others of the same name; null once it was forgotten. */
export const addressOf = (contact: Pick<ListedContact, 'phone' | 'username' | 'userId'>) =>
  contact.phone ?? usernameOf(contact) ?? contact.userId

/** On some line. */
export const isBlocked = ({ blockedOn }: Pick<ListedContact, 'blockedOn'>): boolean => blockedOn.length > 0

/** The name of a contact, also when it has none or was forgotten. */
export function contactName({ name, phone, userId }: Pick<ListedContact, 'name' | 'phone' | 'userId'>): string {
  if (name !== null) return name
  return phone === null && userId === null ? texts.contacts.forgottenName : texts.contacts.unnamed
}
