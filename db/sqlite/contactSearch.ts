import { and, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import { contacts } from '../schema/contacts.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { contactColumns } from './rows.ts'

/** As the search for messages: a step ends, in the index alone, after a bounded number of contacts. */
export const contactSearch = ({ db }: Connection): Pick<StoreReads, 'searchContacts'> => ({
  async searchContacts({ workspaceId, phone, userId, name, cursor, limit, scan }) {
    const isOfWorkspace = and(eq(contacts.workspaceId, workspaceId), isNull(contacts.mergedInto))
    if (phone !== undefined || userId !== undefined) {
      const isNamed = phone === undefined ? eq(contacts.userId, userId ?? '') : eq(contacts.phone, phone)
      const found = db.select(contactColumns).from(contacts).where(and(isOfWorkspace, isNamed)).limit(1).all()
      return { contacts: found, next: null }
    }
    const isBehind = cursor === undefined ? undefined : lt(contacts.id, cursor)
    const last = db
      .select({ id: contacts.id })
      .from(contacts)
      .where(isBehind)
      .orderBy(desc(contacts.id))
      .limit(1)
      .offset(scan - 1)
      .get()
    const found = db
      .select(contactColumns)
      .from(contacts)
      .where(
        and(
          // The plus keeps SQLite to the order of the ids.
          sql`+${contacts.workspaceId} = ${workspaceId}`,
          isNull(contacts.mergedInto),
          isBehind,
          last && gte(contacts.id, last.id),
        ),
      )
      .orderBy(desc(contacts.id))
      .limit(name === undefined ? limit + 1 : scan)
      .all()
      // Not in SQL: SQLite knows upper case of ASCII only.
      .filter(contact => name === undefined || contact.name?.toLowerCase().includes(name.toLowerCase()))
    const page = found.slice(0, limit)
    return { contacts: page, next: (found.length > limit ? page.at(-1)?.id : last?.id) ?? null }
  },
})
