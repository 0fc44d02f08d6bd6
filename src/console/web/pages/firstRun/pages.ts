import type { Page } from '../../app/page.ts'

export const firstRunPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/setup',
    access: 'viewer',
    load: async () => (await import('./FirstRunPage.tsx')).FirstRunPage,
  },
]
