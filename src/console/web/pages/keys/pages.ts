import { IconKey } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const keyPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/api-keys',
    access: 'admin',
    load: async () => (await import('./KeysPage.tsx')).KeysPage,
  },
]

export const keyNavigation: NavigationLink = {
  label: texts.apiKeys.title,
  icon: IconKey,
  path: '/api-keys',
  access: 'admin',
}
