import type { Page } from '../../app/page.ts'

/** What is shown to somebody who is not signed in. */
export const entryPages: readonly Page[] = [
  { path: '/sign-in', access: 'open', load: async () => (await import('./SignIn.tsx')).SignIn },
  { path: '/set-up', access: 'open', load: async () => (await import('./SetUp.tsx')).SetUp },
  { path: '/invitation', access: 'open', load: async () => (await import('./Invitation.tsx')).Invitation },
]
