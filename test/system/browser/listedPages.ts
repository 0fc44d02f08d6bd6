import { resolve } from 'node:path'

interface ListedPage {
  readonly path: string
}

/** The pages as the console lists them. Not by a static import: browser code is type-checked by itself. */
export async function listedPages(): Promise<readonly string[]> {
  const { pages } = (await import(resolve(import.meta.dir, '../../../src/console/web/app/pages.ts'))) as {
    pages: readonly ListedPage[]
  }
  // A page with a part that may be left out is two.
  return pages.flatMap(({ path }) => (path.endsWith('?') ? [path.replace(/\/[^/]*$/, ''), path.slice(0, -1)] : [path]))
}

/** `/w/:workspaceId/lines/:phoneNumberId/templates/new` is `lines-templates-new`. */
export const nameOf = (path: string) =>
  path
    .replace('/w/:workspaceId', path === '/w/:workspaceId' ? '/overview' : '')
    .replace(/:(\w+)$/, 'one')
    .replace(/\/:\w+/g, '')
    .replace(/^\//, '')
    .replaceAll('/', '-')
