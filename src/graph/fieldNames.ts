import { isObject } from '../base/json.ts'

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
