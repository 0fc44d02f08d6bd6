/** JSON of unknown shape: every field may be absent or of another type, and is read as such. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** @returns undefined when it is not JSON, or nested so deeply that the parser gives up. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns null for anything but the JSON of an object. */
export function parseObject(text: string): JsonObject | null {
  const value = parseJson(text)
  return isObject(value) ? value : null
}

/** @returns null for anything but a text that says something. */
export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns the own field of that name; undefined when it is absent, or when the value is no object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
