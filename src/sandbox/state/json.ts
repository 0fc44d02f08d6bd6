/** Reading JSON of unknown shape, without casts at each place. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** @returns the value of JSON text, or nothing if it cannot be read. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The length as the upstream counts it: characters, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
