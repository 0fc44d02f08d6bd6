import type { Page } from '../../app/page.ts'

export const accountPages: readonly Page[] = [
  { path: '/account', access: 'signedIn', load: async () => (await import('./AccountPage.tsx')).AccountPage },
]
