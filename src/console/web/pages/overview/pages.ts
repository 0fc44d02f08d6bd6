import { IconGauge } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const overviewPages: readonly Page[] = [
  {
    path: '/w/:workspaceId',
    access: 'viewer',
    load: async () => (await import('./OverviewPage.tsx')).OverviewPage,
  },
]

export const overviewNavigation: NavigationLink = {
  label: texts.overview.title,
  icon: IconGauge,
  path: '',
  access: 'viewer',
}
