import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { auditEntries } from '../schema/audit.ts'
import { memberships } from '../schema/users.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'

/** The table is bounded, so only the subject has its own index. */
export const auditReads = ({ db }: Connection): Pick<StoreReads, 'auditEntries'> => ({
  auditEntries: async ({ actor, action, subject, workspaceId, since, until, after, limit }) =>
    db
      .select()
      .from(auditEntries)
      .where(
        and(
          actor === undefined ? undefined : eq(auditEntries.actor, actor),
          action === undefined
            ? undefined
            : or(
                eq(auditEntries.action, action),
                sql`substr(${auditEntries.action}, 1, ${action.length + 1}) = ${`${action}.`}`,
              ),
          subject === undefined ? undefined : eq(auditEntries.subject, subject),
          workspaceId === undefined
            ? undefined
            : or(
                eq(auditEntries.workspaceId, workspaceId),
                and(
                  isNull(auditEntries.workspaceId),
                  inArray(
                    auditEntries.subject,
                    db
                      .select({ userId: memberships.userId })
                      .from(memberships)
                      .where(eq(memberships.workspaceId, workspaceId)),
                  ),
                ),
              ),
          since === undefined ? undefined : gte(auditEntries.at, since),
          until === undefined ? undefined : lt(auditEntries.at, until),
          after === undefined ? undefined : lt(auditEntries.id, after),
        ),
      )
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .all(),
})
