import { IconTemplate } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

const ofLine = '/w/:workspaceId/lines/:phoneNumberId/templates'

export const templatePages: readonly Page[] = [
  {
    path: '/w/:workspaceId/templates',
    access: 'viewer',
    load: async () => (await import('./LineChoice.tsx')).LineChoice,
  },
  { path: ofLine, access: 'viewer', load: async () => (await import('./TemplateList.tsx')).TemplateList },
  { path: `${ofLine}/new`, access: 'member', load: async () => (await import('./NewTemplate.tsx')).NewTemplate },
  {
    path: `${ofLine}/:templateId/edit`,
    access: 'member',
    load: async () => (await import('./EditTemplate.tsx')).EditTemplate,
  },
  {
    path: `${ofLine}/:templateId`,
    access: 'viewer',
    load: async () => (await import('./TemplatePage.tsx')).TemplatePage,
  },
]

export const templateNavigation: NavigationLink = {
  label: texts.templates.title,
  icon: IconTemplate,
  path: '/templates',
  access: 'viewer',
}
