/** Letters of the scripts that are written from right to left. */
const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A name that is written from right to left turns around what stands beside it, numbers above all. Between these two
 * marks of Unicode, which nobody sees, it does not.
 */
export const isolated = (text: string): string => (fromTheRight.test(text) ? `\u2068${text}\u2069` : text)

const eachOf = (named: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value)]))

/** What a sentence is made with: a text, or some with their names. */
function isolatedIn(given: unknown): unknown {
  if (typeof given === 'string') return isolated(given)
  return typeof given === 'object' && given !== null ? eachOf(given, isolatedIn) : given
}

function sentenceOf(words: unknown): unknown {
  if (typeof words === 'function') return (...given: readonly unknown[]) => words(...given.map(isolatedIn))
  return typeof words === 'object' && words !== null && !Array.isArray(words) ? eachOf(words, sentenceOf) : words
}

/** @returns the words of a subject, whose sentences are made with texts of people as {@link isolated} ones */
export const isolating = <Words extends object>(words: Words): Words => sentenceOf(words) as Words
