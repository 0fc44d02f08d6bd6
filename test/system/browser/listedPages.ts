import { resolve } from 'node:path'

interface ListedPage {
  readonly path: string
}

/** The pages as the console lists them. Not by a static import: browser code is type-checked by itself. */
export async function listedPages(): Promise<readonly string[]> {
  const { pages } = (await import(resolve(import.meta.dir, '../../../src/console/web/app/pages.ts'))) as {
    pages: readonly ListedPage[]
  }
  return pages.map(({ path }) => path)
}

/** `/w/:workspaceId/lines/:phoneNumberId/templates/new` is `lines-templates-new`. */
export const nameOf = (path: string) =>
  path
    .replace('/w/:workspaceId', path === '/w/:workspaceId' ? '/overview' : '')
    .replace(/:(\w+)$/, 'one')
    .replace(/\/:\w+/g, '')
    .replace(/^\//, '')
    .replaceAll('/', '-')
