/** JSON of unknown shape: every field may be absent or of another type. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * JSON as the upstream platform writes it: all beyond ASCII as `\uXXXX` in lower-case hex, an emoji as its two
 * surrogates. It stands in texts alone, so replacing it anywhere is safe.
 */
export const asciiJson = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** @returns undefined when it is not JSON, or nested so deeply that the parser gives up. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number that may be beyond those that are exact. One within a text costs only time. */
const longNumber = /[:,[]\s*-?\d{16}/

/** As {@link parseJson}, but an integer that no number holds exactly is its digits: ids of the upstream are such. */
export function parseExactly(json: string): unknown {
  if (!longNumber.test(json)) return parseJson(json)
  try {
    return JSON.parse(json, (_, value: unknown, { source = '' }: { source?: string } = {}) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value,
    )
  } catch {
    // With a look at each value, the parser goes less deep.
    return parseJson(json)
  }
}

/** @returns null for anything but the JSON of an object. */
export function parseObject(text: string): JsonObject | null {
  const value = parseJson(text)
  return isObject(value) ? value : null
}

/** @returns null for anything but a text that is not empty. */
export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns the own field of that name; undefined when it is absent, or when the value is no object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openingBracket = 0x5b
const openingBrace = 0x7b

/**
 * Counts fields and elements before anything is parsed: each comma and each opened array or object outside of texts.
 * One pass without extra memory, so that the cost of a hostile text is only its length. Malformed JSON is counted too;
 * the parser refuses it.
 */
export function hasMoreEntriesThan(json: string, entriesMax: number): boolean {
  // An entry has at least one character.
  if (json.length <= entriesMax) return false
  let entries = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (isInText) {
      if (unit === backslash) at += 1
      else if (unit === quote) isInText = false
    } else if (unit === quote) isInText = true
    else if (unit === comma || unit === openingBracket || unit === openingBrace) {
      entries += 1
      if (entries > entriesMax) return true
    }
  }
  return false
}

/**
 * Fields and elements of what another program tells us. A thousand templates, and a thousand updates in a callback,
 * have some tens of thousands. A megabyte of brackets has ten times as many, and stops the thread that parses it.
 */
export const toldEntriesMax = 200_000

/** As {@link parseObject}, for the answer of another server. @returns null also for one with too many elements */
export const parseAnswer = (json: string): JsonObject | null =>
  hasMoreEntriesThan(json, toldEntriesMax) ? null : parseObject(json)

/** Stands in the place of what is nested deeper. */
const tooDeep = '(nested too deeply)'

/** @returns the value; a copy of its upper levels when it has more levels of arrays and objects than `levels` */
export const upTo = (value: unknown, levels: number): unknown =>
  isDeeperThan(value, levels) ? upperLevels(value, levels) : value

function upperLevels(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return tooDeep
  if (Array.isArray(value)) return value.map(element => upperLevels(element, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, upperLevels(part, levels - 1)]))
}

/**
 * Whether the value has more levels of arrays and objects than `levels`. It stops there, so that the stack cannot
 * overflow.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key of Object.keys(value)) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true
  }
  return false
}

/**
 * The end of the year 9999: a later year has five digits, which no `date-time` of an answer may have (RFC 3339). Times
 * in milliseconds are beyond it too.
 */
const secondsMax = 253_402_300_799

/** @returns Unix seconds, a number or its digits, as epoch milliseconds; null for anything else. */
export function timestamp(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax ? Math.floor(seconds * 1000) : null
}
