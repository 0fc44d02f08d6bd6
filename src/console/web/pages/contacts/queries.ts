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

type Named = Pick<ListedContact, 'name' | 'phone' | 'username' | 'userId'>

/** The name of a contact; of one without a name its number, and what is said of one that was forgotten. */
export const contactName = (contact: Named): string =>
  contact.name ?? addressOf(contact) ?? texts.contacts.forgottenName

/** What stands beside {@link contactName}; null where that is the number already. */
export const addressBeside = (contact: Named) => (contact.name === null ? null : addressOf(contact))
