import { keepPreviousData } from '@tanstack/react-query'
import { useLiveQuery } from '../../app/workspaceData.ts'

export const useContacts = (query: Readonly<Record<string, string>>) =>
  useLiveQuery(['contacts'], ['contacts', query], routes => routes.contacts.get({ query }), {
    placeholderData: keepPreviousData,
  })
export type ListedContact = NonNullable<ReturnType<typeof useContacts>['data']>['contacts'][number]

export const useContact = (contactId: string) =>
  useLiveQuery(['contacts'], ['contacts', contactId], routes => routes.contacts({ contactId }).get())
export type ContactDetails = NonNullable<ReturnType<typeof useContact>['data']>
