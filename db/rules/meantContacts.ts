import { like, or, type SQL, sql } from 'drizzle-orm'
import type { Contact } from '../records.ts'
import type { Tables } from '../schema/tables.ts'
import { hasWords, patternOf } from './meantBy.ts'

/** Which contacts somebody means. */
interface Meant {
  /** At least those: SQLite knows upper case of ASCII only, and a server other letters, as its locale says. */
  readonly condition: SQL | undefined
  /** Those among them. */
  isIt(contact: Pick<Contact, 'name' | 'phone'>): boolean
}

/**
 * @param named a part of the name, or of the number: either is enough
 * @returns null when nothing is named: all are meant
 */
export function meantContacts(
  { name: nameColumn, phone: phoneColumn }: Pick<Tables['contacts'], 'name' | 'phone'>,
  { name, digits }: { readonly name?: string | undefined; readonly digits?: string | undefined },
): Meant | null {
  if (name === undefined && digits === undefined) return null
  return {
    condition: or(
      name === undefined ? undefined : sql`lower(${nameColumn}) LIKE ${patternOf(name)} ESCAPE '\\'`,
      digits === undefined ? undefined : like(phoneColumn, `%${digits}%`),
    ),
    isIt: contact =>
      (name !== undefined && hasWords(contact.name, name)) ||
      (digits !== undefined && contact.phone?.includes(digits) === true),
  }
}
