/** Letters of the scripts that are written from right to left. */
const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A name that is written from right to left turns around what stands beside it, numbers above all. Between these two
 * marks of Unicode, which nobody sees, it does not.
 */
export const isolated = (text: string): string => (fromTheRight.test(text) ? `\u2068${text}\u2069` : text)

/** Begins a line of text that goes from left to right, whatever letters come first. */
const fromTheLeft = '\u200e'

interface Named {
  readonly number: string
  readonly label: string | null
}

/** @returns a line as people tell it from others: by its number, and what the workspace calls it */
export function lineName({ number, label }: Named): string {
  if (label === null) return number
  const name = isolated(label)
  return `${name === label ? '' : fromTheLeft}${number} · ${name}`
}

/** @returns the name of the line with this id; of one that is none of them, the id */
export function lineNameIn(lines: readonly (Named & { readonly id: string })[] = [], lineId: string): string {
  const line = lines.find(({ id }) => id === lineId)
  return line ? lineName(line) : lineId
}
