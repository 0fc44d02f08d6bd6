import { wordsOf } from '../../src/message/content.ts'
import type { MeantBy } from '../queries.ts'
import type { Contact, Message } from '../records.ts'

/** What is read of a message to see whether it is meant. */
export interface Told {
  readonly recipient: Contact | undefined
  /** The upstream's request; undefined when it is not kept any more. */
  readonly payload: string | undefined
}

/** Whether somebody who searches for a text may mean the message. */
export function isMeant(
  { words, digits, templates }: MeantBy,
  { recipient, templateName }: Pick<Message, 'recipient' | 'templateName'>,
  told: Told,
): boolean {
  if (digits !== null && recipient.includes(digits)) return true
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(words.toLowerCase()) ?? false
  if (has(told.recipient?.name)) return true
  const sent = told.payload === undefined ? null : wordsOf(told.payload)
  if (sent?.all.some(has)) return true
  const languages = templateName === null ? undefined : templates.get(templateName)
  return languages === null || (languages !== undefined && (!sent?.language || languages.has(sent.language)))
}

/**
 * A pattern for `lower(text) LIKE pattern ESCAPE '\'` that finds at least each text with these words. Lower case is
 * exact for ASCII alone: SQLite knows no other, and a server others, as its locale says.
 */
export const patternOf = (words: string): string =>
  `%${[...words.toLowerCase()].map(char => (char > '\x7f' ? '_' : char.replace(/[%_\\]/, '\\$&'))).join('')}%`

/** The same for texts within JSON. */
export const jsonPatternOf = (words: string): string => patternOf(JSON.stringify(words).slice(1, -1))
