import { IconMessages } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const messagePages: readonly Page[] = [
  {
    path: '/w/:workspaceId/messages',
    access: 'viewer',
    load: async () => (await import('./MessagesPage.tsx')).MessagesPage,
  },
  {
    path: '/w/:workspaceId/messages/:messageId',
    access: 'viewer',
    load: async () => (await import('./MessagePage.tsx')).MessagePage,
  },
]

export const messageNavigation: NavigationLink = {
  label: texts.messages.title,
  icon: IconMessages,
  path: '/messages',
  access: 'viewer',
}
