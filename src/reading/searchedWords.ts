import type { SearchedWord } from '../../db/contract/queries.ts'
import { digitsOf } from '../base/phone.ts'

/** Each word is looked for in each message. Who pastes a sentence means the sentence. */
const wordsMax = 8

/** A number from its plus on, with what separates its digits; else what stands between blanks. */
const wordForm = /\+[\d\s\p{Pd}().]*\d(?!\S)|\S+/gu

/** @returns what somebody looks for who writes this: all of it has to be there, in any order */
export function searchedWords(written: string): readonly SearchedWord[] {
  const whole = written.trim()
  const found = digitsOf(whole) === null ? (whole.match(wordForm) ?? []) : [whole]
  return (found.length > wordsMax ? [whole] : found).map(words => ({ words, digits: digitsOf(words) }))
}
