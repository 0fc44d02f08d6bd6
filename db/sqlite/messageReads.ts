import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { MessageStatus } from '../../src/message/state.ts'
import { conditionsOf } from '../rules/filters.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import { filters, isOfWorkspace, isUnsettled, messagesWhere } from './rows.ts'
import { messages } from './schema.ts'

/** How the operator finds messages. Each list goes along an index and ends at its limit. */
export function messageReads({ db }: Connection): Pick<StoreReads, 'messages'> {
  const isOlder = ({ createdAt, seq }: Pick<typeof messages.$inferSelect, 'createdAt' | 'seq'>) =>
    or(lt(messages.createdAt, createdAt), and(eq(messages.createdAt, createdAt), lt(messages.seq, seq)))

  const place = (id: string) =>
    db.select({ seq: messages.seq, createdAt: messages.createdAt }).from(messages).where(eq(messages.id, id)).get() ??
    null

  return {
    async messages({ workspaceId, status, since, until, after, limit, ...filter }) {
      const cursor = after === undefined ? undefined : place(after)
      if (cursor === null) return []
      // All of what is open is sorted. For its dates alone, SQLite might walk through all messages of these days.
      const at = isOpen(status) ? sql`+${messages.createdAt}` : sql`${messages.createdAt}`
      return messagesWhere(
        db,
        and(
          // A recipient, and what is not settled, have an index of their own.
          filter.recipient === undefined && !isOpen(status)
            ? eq(messages.workspaceId, workspaceId)
            : isOfWorkspace(workspaceId),
          status === undefined ? undefined : hasStatus(status),
          ...conditionsOf(filters, filter),
          since === undefined ? undefined : gte(at, since),
          until === undefined ? undefined : lt(at, until),
          // For the index; what is older of the same moment is told by `seq`.
          cursor && sql`${at} <= ${cursor.createdAt}`,
          cursor && isOlder(cursor),
        ),
      )
        .orderBy(desc(messages.createdAt), desc(messages.seq))
        .limit(limit)
        .all()
    },
  }
}

const isOpen = (status: MessageStatus | undefined) => status === 'QUEUED' || status === 'UNKNOWN'

/** What is rare has an index of its own, which the planner uses where its condition stands word for word. */
function hasStatus(status: MessageStatus): SQL | undefined {
  if (status === 'FAILED') return sql`status = 'FAILED'`
  if (isOpen(status)) return and(isUnsettled, eq(messages.status, status))
  return eq(messages.status, status)
}
