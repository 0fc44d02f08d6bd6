import { IconChartBar } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const usagePages: readonly Page[] = [
  {
    path: '/w/:workspaceId/usage',
    access: 'viewer',
    load: async () => (await import('./UsagePage.tsx')).UsagePage,
  },
]

export const usageNavigation: NavigationLink = {
  label: texts.usage.title,
  icon: IconChartBar,
  path: '/usage',
  access: 'viewer',
}
