import type { Issue } from '../base/errors.ts'
import { issuesMax, pointer } from '../base/issues.ts'
import { didYouMean } from '../base/nearName.ts'
import { type Checked, check, type Static, type TObject } from '../base/schema.ts'
import type { RequestHead } from '../http/requestHead.ts'

type Given = Readonly<Record<string, string | readonly string[]>>
type QueryReader<S extends TObject> = (request: RequestHead) => Checked<Static<S>>

/**
 * One that comes twice stays a list, and its schema refuses it, so that neither value is dropped silently.
 * @param lists parameters that may come several times, and then are one text with commas
 */
function given({ url }: RequestHead, lists: readonly string[] = []): Given {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const query = new URLSearchParams(url.slice(start + 1))
  const read = (name: string) => {
    const values = query.getAll(name)
    return values.length === 1 || lists.includes(name) ? values.join() : values
  }
  return Object.fromEntries([...new Set(query.keys())].map(name => [name, read(name)]))
}

/** Reads a query, and ignores parameters that its schema does not name: so do the calls that every caller has. */
export function lenientQuery<S extends TObject>(schema: S): QueryReader<S> {
  const checked = check(schema, 'text')
  return request => {
    const known = Object.entries(given(request)).filter(([name]) => Object.hasOwn(schema.properties, name))
    return checked(Object.fromEntries(known))
  }
}

/**
 * Reads a query, and refuses a parameter that its schema does not name: a filter with a misspelt name would answer
 * everything.
 */
export function strictQuery<S extends TObject>(schema: S, lists?: readonly string[]): QueryReader<S> {
  const checked = check(schema, 'text')
  const known = Object.keys(schema.properties)
  return request => {
    const query = Object.entries(given(request, lists))
    const isKnown = ([name]: (typeof query)[number]) => Object.hasOwn(schema.properties, name)
    const result = checked(Object.fromEntries(query.filter(isKnown)))
    const unknown = query
      .filter(each => !isKnown(each))
      .slice(0, issuesMax)
      .map(([name]): Issue => ({ path: pointer(name), message: unknownParameter(name, known) }))
    if (unknown.length === 0) return result
    return { ok: false, issues: result.ok ? unknown : [...unknown, ...result.issues] }
  }
}

const unknownParameter = (name: string, known: readonly string[]): string => {
  const near = didYouMean(name, known)
  return `is not a known parameter${near === '' ? `: known are ${known.join(', ')}` : near}`
}
