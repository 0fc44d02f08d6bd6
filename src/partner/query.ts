import type { TObject } from '../base/schema.ts'

/**
 * Reads the parameters of a query that a schema names; others are ignored. One that comes twice stays a list, and its
 * schema refuses it, so that neither value is dropped silently.
 */
export function queryFields({ url }: Request, { properties }: TObject): Record<string, string | string[]> {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const query = new URLSearchParams(url.slice(start + 1))
  return Object.fromEntries(
    Object.keys(properties).flatMap(name => {
      const values = query.getAll(name)
      return values.length === 0 ? [] : [[name, values.length === 1 ? values.join() : values]]
    }),
  )
}
