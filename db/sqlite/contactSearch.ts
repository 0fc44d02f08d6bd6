import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { contactColumns } from './rows.ts'
import { contacts } from './schema.ts'

/** As the search for messages: a step looks at a bounded number of contacts of the workspace, the newest first. */
export const contactSearch = ({ db }: Connection): Pick<StoreReads, 'searchContacts'> => ({
  async searchContacts({ workspaceId, phone, userId, name, cursor, limit, scan }) {
    if (phone !== undefined || userId !== undefined) {
      const isOfWorkspace = and(eq(contacts.workspaceId, workspaceId), isNull(contacts.mergedInto))
      const isNamed = phone === undefined ? eq(contacts.userId, userId ?? '') : eq(contacts.phone, phone)
      const found = db.select(contactColumns).from(contacts).where(and(isOfWorkspace, isNamed)).limit(1).all()
      return { contacts: found, next: null }
    }
    const size = name === undefined ? Math.min(limit + 1, scan) : scan
    const rows = db
      .select()
      .from(contacts)
      .where(and(eq(contacts.workspaceId, workspaceId), cursor === undefined ? undefined : lt(contacts.id, cursor)))
      .orderBy(desc(contacts.id))
      .limit(size)
      .all()
    const found = rows
      .flatMap(({ mergedInto, ...contact }) => (mergedInto === null ? [contact] : []))
      // Not in SQL: SQLite knows upper case of ASCII only.
      .filter(contact => name === undefined || contact.name?.toLowerCase().includes(name.toLowerCase()))
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : rows.length < size ? undefined : rows.at(-1)
    return { contacts: page, next: last?.id ?? null }
  },
})
