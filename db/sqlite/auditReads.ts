import { and, desc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import type { AuditEntry, AuditQuery } from '../queries.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { auditEntries, memberships } from './schema.ts'

export function auditReads({ db }: Connection): Pick<StoreReads, 'auditEntries'> {
  const entries = (
    { actor, action, subject, since, until, after, limit }: AuditQuery,
    ...conditions: Parameters<typeof and>
  ): AuditEntry[] =>
    db
      .select()
      .from(auditEntries)
      .where(
        and(
          ...conditions,
          actor === undefined ? undefined : eq(auditEntries.actor, actor),
          action === undefined
            ? undefined
            : or(
                eq(auditEntries.action, action),
                sql`substr(${auditEntries.action}, 1, ${action.length + 1}) = ${`${action}.`}`,
              ),
          subject === undefined ? undefined : eq(auditEntries.subject, subject),
          since === undefined ? undefined : gte(auditEntries.at, since),
          until === undefined ? undefined : lt(auditEntries.at, until),
          after === undefined ? undefined : lt(auditEntries.id, after),
        ),
      )
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .all()

  return {
    async auditEntries(query) {
      const { workspaceId, limit } = query
      if (workspaceId === undefined) return entries(query)
      // Each along its index. With one condition for both, SQLite would read the entries of all workspaces.
      const members = db
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(eq(memberships.workspaceId, workspaceId))
      const own = entries(query, eq(auditEntries.workspaceId, workspaceId))
      const ofMembers = entries(
        query,
        sql`+${auditEntries.workspaceId} IS NULL`,
        inArray(auditEntries.subject, members),
      )
      return [...own, ...ofMembers].sort((one, other) => other.id - one.id).slice(0, limit)
    },
  }
}
