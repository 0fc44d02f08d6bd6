import { IconSettings } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const settingsPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/settings',
    access: 'viewer',
    load: async () => (await import('./SettingsPage.tsx')).SettingsPage,
  },
]

export const settingsNavigation: NavigationLink = {
  label: texts.settings.title,
  icon: IconSettings,
  path: '/settings',
  access: 'viewer',
}
