import { charCount } from '../base/chars.ts'

/** One placeholder of a text. */
export interface Slot {
  /** What stands between the braces: `1`, or a name in a named-parameter template. */
  readonly key: string
  /** The key of `templateVariables` that fills it: the key itself, or `c0_1` on a card. */
  readonly variable: string
  /** A name: its parameter carries `parameter_name`. */
  readonly isNamed: boolean
  /** How often it stands in the text; it is sent once. */
  readonly times: number
}

export interface TextShape {
  /** In the order of sending: numbers ascending, names as they first appear. */
  readonly slots: readonly Slot[]
  /** Characters of the text without its placeholders, so that the filled length is a sum. */
  readonly fixedChars: number
}

export type ParameterFormat = 'positional' | 'named' | 'unstated'

export const emptyText: TextShape = { slots: [], fixedChars: 0 }

const marker = /\{\{\s*(\w+)\s*\}\}/g
const number = /^\d+$/

/** True for the keys of numbered placeholders. */
export const isNumber = (key: string) => number.test(key)

/** Where the record says how its placeholders are written; older records say nothing, then both are looked for. */
export function parameterFormat(stated: string | undefined): ParameterFormat {
  const format = stated?.toUpperCase()
  return format === 'POSITIONAL' ? 'positional' : format === 'NAMED' ? 'named' : 'unstated'
}

/**
 * Reads the placeholders of a text. In a positional template `{{name}}` is plain text; a numbered marker counts
 * everywhere, because URL buttons of named templates are seen with `{{1}}`.
 * @param prefix  what goes before the key in `templateVariables`: `c0_` on card 0
 */
export function readText(text: string, format: ParameterFormat, prefix = ''): TextShape {
  const times = new Map<string, number>()
  let fixedChars = charCount(text)
  for (const [whole, key = ''] of text.matchAll(marker)) {
    if (format === 'positional' && !isNumber(key)) continue
    times.set(key, (times.get(key) ?? 0) + 1)
    fixedChars -= whole.length
  }
  const slots = [...times].map(([key, count]) => slot(key, prefix, count))
  return { slots: slots.every(({ isNamed }) => !isNamed) ? slots.sort(byNumber) : slots, fixedChars }
}

export function slot(key: string, prefix = '', times = 1): Slot {
  return { key, variable: prefix + key, isNamed: !isNumber(key), times }
}

const byNumber = (a: Slot, b: Slot) => Number(a.key) - Number(b.key)

/** Puts values into a text; a placeholder without a value stays as it is. */
export function fillText(text: string, valueFor: (key: string) => string | undefined): string {
  return text.replace(marker, (whole: string, key: string) => valueFor(key) ?? whole)
}
