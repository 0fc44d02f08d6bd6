import { IconAddressBook } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const contactPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/contacts',
    access: 'viewer',
    load: async () => (await import('./ContactsPage.tsx')).ContactsPage,
  },
  {
    path: '/w/:workspaceId/contacts/:contactId',
    access: 'viewer',
    load: async () => (await import('./ContactPage.tsx')).ContactPage,
  },
]

export const contactNavigation: NavigationLink = {
  label: texts.contacts.title,
  icon: IconAddressBook,
  path: '/contacts',
  access: 'viewer',
}
