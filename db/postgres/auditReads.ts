import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { auditEntries, memberships } from './schema/tables.ts'

export const auditReads = ({ db }: Connection): Pick<StoreReads, 'auditEntries'> => ({
  async auditEntries({ actor, action, subject, workspaceId, since, until, after, limit }) {
    const isAction =
      action === undefined
        ? undefined
        : or(eq(auditEntries.action, action), sql`starts_with(${auditEntries.action}, ${`${action}.`})`)
    const members = db
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(eq(memberships.workspaceId, workspaceId ?? ''))
    const isOfWorkspace =
      workspaceId === undefined
        ? undefined
        : or(
            eq(auditEntries.workspaceId, workspaceId),
            and(isNull(auditEntries.workspaceId), inArray(auditEntries.subject, members)),
          )
    return await db
      .select()
      .from(auditEntries)
      .where(
        and(
          actor === undefined ? undefined : eq(auditEntries.actor, actor),
          isAction,
          subject === undefined ? undefined : eq(auditEntries.subject, subject),
          isOfWorkspace,
          since === undefined ? undefined : gte(auditEntries.at, since),
          until === undefined ? undefined : lt(auditEntries.at, until),
          after === undefined ? undefined : lt(auditEntries.id, after),
        ),
      )
      .orderBy(desc(auditEntries.id))
      .limit(limit)
  },
})
