import { caseless } from '../../src/base/chars.ts'
import { wordsOf } from '../../src/message/content.ts'
import type { MeantBy, SearchedWord } from '../contract/queries.ts'
import type { Contact, Message } from '../contract/records.ts'

/**
 * Whether somebody who searches for a word may mean the message.
 * @param payload the upstream's request; undefined when it is not kept any more
 */
export function isMeant(
  { words, digits, recipients, templates }: MeantBy,
  { recipient, templateName, requestId }: Pick<Message, 'recipient' | 'templateName' | 'requestId'>,
  payload: string | undefined,
): boolean {
  if (requestId === words || recipients.has(recipient) || (digits !== null && recipient.includes(digits))) return true
  const sent = payload === undefined ? null : wordsOf(payload)
  if (sent?.all.some(text => hasWords(text, words))) return true
  const languages = templateName === null ? undefined : templates.get(templateName)
  return languages === null || (languages !== undefined && (!sent?.language || languages.has(sent.language)))
}

export const hasWords = (text: string | null, words: string): boolean =>
  text !== null && caseless(text).includes(caseless(words))

/** @returns the word as a username has it: without its `@` */
export const bareOf = ({ words }: Pick<SearchedWord, 'words'>): string => words.replace(/^@/, '')

/** Whether the word is a part of somebody's name or username. */
export const isNamed = (
  { name, username }: Pick<Contact, 'name' | 'username'>,
  word: Pick<SearchedWord, 'words'>,
): boolean => hasWords(name, word.words) || hasWords(username, bareOf(word))

/**
 * A text nearly like it costs each letter of a pattern once for each of its own: 0.3 ms for a long text, where 512
 * letters would have 6. What else a search has to have is looked at afterwards.
 */
const patternLettersMax = 24

/**
 * A pattern for `lower(text) LIKE pattern ESCAPE '\\'` that finds at least each text with these words. Lower case is
 * exact for ASCII alone: SQLite knows no other, and a server others, as its locale says. Two letters are not even then:
 * the sign of kelvin is a `k`, and an `i` may have its dot as a letter of its own, or none.
 */
export function patternOf(words: string): string {
  const letters = [...caseless(words)].slice(0, patternLettersMax)
  return `%${letters.map(char => anyLetter(char) ?? char.replace(/[%_\\]/, '\\$&')).join('')}%`
}

function anyLetter(char: string): '%' | '_' | null {
  if (char === 'i') return '%'
  return char === 'k' || char > '\x7f' ? '_' : null
}

/** The same for texts within JSON. */
export const jsonPatternOf = (words: string): string => patternOf(JSON.stringify(words).slice(1, -1))
