import { like, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Contact } from '../contract/records.ts'
import type { Tables } from '../schema/tables.ts'
import { hasWords, patternOf } from './meantBy.ts'

/** Which contacts somebody means. */
interface Meant {
  /** At least those: SQLite knows upper case of ASCII only, and a server other letters, as its locale says. */
  readonly condition: SQL | undefined
  /** Those among them. */
  isIt(contact: Pick<Contact, 'name' | 'phone' | 'username'>): boolean
}

/**
 * @param named a part of the name, of the username, with its `@` or without, or of the number: one is enough
 * @returns null when nothing is named: all are meant
 */
export function meantContacts(
  columns: Pick<Tables['contacts'], 'name' | 'phone' | 'username'>,
  { name, digits }: { readonly name?: string | undefined; readonly digits?: string | undefined },
): Meant | null {
  if (name === undefined && digits === undefined) return null
  const username = name?.replace(/^@/, '')
  const hasLetters = (column: SQLWrapper, words: string | undefined) =>
    words === undefined ? undefined : sql`lower(${column}) LIKE ${patternOf(words)} ESCAPE '\\'`
  return {
    condition: or(
      hasLetters(columns.name, name),
      hasLetters(columns.username, username),
      digits === undefined ? undefined : like(columns.phone, `%${digits}%`),
    ),
    isIt: contact =>
      (name !== undefined && hasWords(contact.name, name)) ||
      (username !== undefined && hasWords(contact.username, username)) ||
      (digits !== undefined && contact.phone?.includes(digits) === true),
  }
}
