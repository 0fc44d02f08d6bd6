import { IconUsers } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const memberPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/members',
    access: 'viewer',
    load: async () => (await import('./MembersPage.tsx')).MembersPage,
  },
]

export const memberNavigation: NavigationLink = {
  label: texts.members.title,
  icon: IconUsers,
  path: '/members',
  access: 'viewer',
}
