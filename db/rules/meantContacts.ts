import { like, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Contact } from '../contract/records.ts'
import type { Tables } from '../schema/tables.ts'
import { hasWords, patternOf } from './meantBy.ts'

/** Which contacts somebody means. */
interface Meant {
  /** At least those: SQLite knows upper case of ASCII only, and a server other letters, as its locale says. */
  readonly condition: SQL | undefined
  /** What is selected beside the contact, to find those among them. */
  readonly columns: { readonly hasDigits: SQL<unknown> }
  isIt(contact: Pick<Contact, 'name' | 'username'> & { readonly hasDigits?: unknown }): boolean
}

/**
 * @param named a part of the name, of the username, with its `@` or without, or of the number in one of its spellings:
 *   one is enough
 * @returns null when nothing is named: all are meant
 */
export function meantContacts(
  { contacts, numberSpellings }: Pick<Tables, 'contacts' | 'numberSpellings'>,
  { name, digits }: { readonly name?: string | undefined; readonly digits?: string | undefined },
): Meant | null {
  if (name === undefined && digits === undefined) return null
  const username = name?.replace(/^@/, '')
  const hasLetters = (column: SQLWrapper, words: string | undefined) =>
    words === undefined ? undefined : sql`lower(${column}) LIKE ${patternOf(words)} ESCAPE '\\'`
  const { workspaceId, current, former } = numberSpellings
  // Counted: what only has to be there, PostgreSQL gathers from the whole table.
  const hasDigits =
    digits === undefined
      ? undefined
      : sql`(${like(contacts.phone, `%${digits}%`)} OR (SELECT count(*) FROM ${numberSpellings}
          WHERE ${workspaceId} = ${contacts.workspaceId} AND ${current} = ${contacts.phone}
            AND ${like(former, `%${digits}%`)}) > 0)`
  return {
    condition: or(hasLetters(contacts.name, name), hasLetters(contacts.username, username), hasDigits),
    columns: { hasDigits: hasDigits ? sql`CASE WHEN ${hasDigits} THEN 1 ELSE 0 END` : sql`0` },
    isIt: contact =>
      (name !== undefined && hasWords(contact.name, name)) ||
      (username !== undefined && hasWords(contact.username, username)) ||
      Number(contact.hasDigits) === 1,
  }
}
