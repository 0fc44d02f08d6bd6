import { type AnyElysia, Elysia } from 'elysia'
import type { JsonObject } from '../../base/json.ts'
import { internalDocument } from './document.ts'

export const internalDocumentPath = '/docs/internal/json'

/** The API document of the internal routes, a section of its own in the viewer at `/docs`. */
export function internalDocumentRoute(console: AnyElysia) {
  // The routes do not change.
  let document: JsonObject | undefined
  return new Elysia({ name: 'console-docs' }).get(
    internalDocumentPath,
    () => {
      document ??= internalDocument(console)
      return document
    },
    { detail: { hide: true } },
  )
}
