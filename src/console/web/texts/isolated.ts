import { isolated } from '../../../base/direction.ts'

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

/** @returns the words of a subject, whose sentences are made with texts of people as isolated ones */
export const isolating = <Words extends object>(words: Words): Words => sentenceOf(words) as Words

/**
 * The words of a subject in another language: the same names as in English, and each sentence is made with the same
 * things.
 */
export type WordsOf<Words> = Words extends string
  ? string
  : Words extends (...given: infer Given) => infer Said
    ? (...given: Given) => WordsOf<Said>
    : Words extends object
      ? { readonly [Name in keyof Words]: WordsOf<Words[Name]> }
      : Words
