import { field, isObject } from '../base/json.ts'

/** The one field whose name is not ours with other capitals. */
const fileName = { ours: 'fileName', upstream: 'filename' } as const

/** @returns the upstream's name of a field */
export const upstreamNameOf = (name: string) =>
  name === fileName.ours ? fileName.upstream : name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const ourNameOf = (name: string) =>
  name === fileName.upstream ? fileName.ours : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** @returns the value with other names of its fields, at each level */
const renamed = (value: unknown, nameOf: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map(element => renamed(element, nameOf))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [nameOf(name), renamed(part, nameOf)]))
}

export const inUpstreamNames = (value: unknown): unknown => renamed(value, upstreamNameOf)
export const inOurNames = (value: unknown): unknown => renamed(value, ourNameOf)

/**
 * @param given in the upstream's names
 * @param path a JSON Pointer into it, in our names
 * @returns the same in the names that are written there; of what is absent, in the upstream's
 */
export function writtenPath(given: unknown, path: string): string {
  let at = given
  const [root = '', ...names] = path.split('/')
  const written = names.map(ours => {
    const known = isObject(at) ? Object.keys(at) : []
    const name = known.find(each => ourNameOf(each) === ours) ?? upstreamNameOf(ours)
    at = field(at, name)
    return name
  })
  return [root, ...written].join('/')
}
