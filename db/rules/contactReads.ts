import { and, desc, eq, gte, isNull, lt } from 'drizzle-orm'
import type { Contact } from '../contract/records.ts'
import type { StoreReads } from '../contract/store.ts'
import { type Engine, first } from './engine.ts'
import { meantContacts } from './meantContacts.ts'
import { currentIdsOf, formerIdsOf } from './userIds.ts'

/** A bound for the flows of one contact, which others can create. Only shown to the operator. */
const shownFlowsMax = 1_000

type ContactReads = Pick<
  StoreReads,
  'contacts' | 'contactsAt' | 'formerUserIds' | 'searchContacts' | 'updates' | 'flowSessions'
>

/** Contacts, and what is known of them beside their messages. */
export function contactReads(engine: Engine): ContactReads {
  const { db, isAnyOf } = engine
  const { contacts, flowSessions, upstreamUpdates } = engine.tables
  const { contactColumns } = engine.columns
  const isOfWorkspace = (workspaceId: string) => and(eq(contacts.workspaceId, workspaceId), isNull(contacts.mergedInto))

  return {
    contacts: async ({ workspaceId, limit }) =>
      await db
        .select(contactColumns)
        .from(contacts)
        .where(isOfWorkspace(workspaceId))
        .orderBy(desc(contacts.workspaceId), desc(contacts.id))
        .limit(limit),

    async contactsAt({ workspaceId, addresses }) {
      const found = new Map<string, Contact>()
      const isPhone = (address: string) => address.startsWith('+')
      const userIds = addresses.filter(address => !isPhone(address))
      const current = await currentIdsOf(engine, { workspaceId, userIds })
      // Two reads: with OR, SQLite would walk through all contacts of the workspace.
      for (const [column, wanted] of [
        [contacts.phone, addresses.filter(isPhone)],
        [contacts.userId, [...userIds, ...current.values()]],
      ] as const) {
        if (wanted.length === 0) continue
        const rows = await db
          .select(contactColumns)
          .from(contacts)
          .where(and(eq(contacts.workspaceId, workspaceId), isAnyOf(column, wanted)))
        for (const row of rows) for (const address of [row.phone, row.userId]) if (address) found.set(address, row)
      }
      for (const [former, userId] of current) {
        const contact = found.get(userId)
        if (contact) found.set(former, contact)
      }
      return found
    },

    formerUserIds: query => formerIdsOf(engine, query),

    /**
     * Like the search for messages: a step looks at a bounded number of contacts of the workspace, the newest first.
     */
    async searchContacts({ workspaceId, phone, userId, name, digits, cursor, limit, scan }) {
      if (phone !== undefined || userId !== undefined) {
        const current = await currentIdsOf(engine, { workspaceId, userIds: userId === undefined ? [] : [userId] })
        const isUser = eq(contacts.userId, current.get(userId ?? '') ?? userId ?? '')
        const isNamed = phone === undefined ? isUser : eq(contacts.phone, phone)
        const found = db
          .select(contactColumns)
          .from(contacts)
          .where(and(isOfWorkspace(workspaceId), isNamed))
          .limit(1)
        return { contacts: await found, next: null }
      }
      const meant = meantContacts(contacts, { name, digits })
      const size = meant === null ? Math.min(limit + 1, scan) : scan
      const { id } = contacts
      const step = and(eq(contacts.workspaceId, workspaceId), cursor === undefined ? undefined : lt(id, cursor))
      const order = [desc(contacts.workspaceId), desc(id)]
      const end = await first(
        db
          .select({ id })
          .from(contacts)
          .where(step)
          .orderBy(...order)
          .limit(1)
          .offset(size - 1),
      )
      const rows = await db
        .select({ ...contactColumns, mergedInto: contacts.mergedInto })
        .from(contacts)
        .where(and(step, end === null ? undefined : gte(id, end.id), meant?.condition))
        .orderBy(...order)
      const found = rows
        .flatMap(({ mergedInto, ...contact }) => (mergedInto === null ? [contact] : []))
        .filter(contact => meant === null || meant.isIt(contact))
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : end
      return { contacts: page, next: last?.id ?? null }
    },

    async updates(subject) {
      const rows = await db
        .select()
        .from(upstreamUpdates)
        .where(eq(upstreamUpdates.subject, subject))
        .orderBy(desc(upstreamUpdates.at))
      return rows.map(({ kind, at, detail }) => ({ kind, at, detail: JSON.parse(detail) }))
    },

    flowSessions: async contactId =>
      await db
        .select()
        .from(flowSessions)
        .where(eq(flowSessions.contactId, contactId))
        .orderBy(desc(flowSessions.openedAt), desc(flowSessions.messageId))
        .limit(shownFlowsMax),
  }
}
