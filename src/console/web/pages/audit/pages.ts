import { IconHistory } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const auditPages: readonly Page[] = [
  { path: '/w/:workspaceId/audit', access: 'admin', load: async () => (await import('./AuditPage.tsx')).AuditPage },
]

export const auditNavigation: NavigationLink = {
  label: texts.audit.title,
  icon: IconHistory,
  path: '/audit',
  access: 'admin',
}
