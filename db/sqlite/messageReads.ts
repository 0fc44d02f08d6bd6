import { and, count, desc, eq, getTableColumns, gt, gte, inArray, lt, min, or, type SQL, sql } from 'drizzle-orm'
import type { MessageStatus } from '../../src/message/state.ts'
import type { MessageQuery } from '../records.ts'
import type { StoreReads } from '../store.ts'
import type { Connection } from './open.ts'
import {
  hasIdempotencyKey,
  isChannelMessage,
  isOfKey,
  isOfLine,
  isOfWorkspace,
  isUnsettled,
  messagesWhere,
} from './rows.ts'
import { dailyCounts, messageContents, messages, planUsage, workspaces } from './schema.ts'

/** Several callers may use one idempotency key, each in its scope. */
const referredMax = 20

type MessageReads = Pick<
  StoreReads,
  | 'messages'
  | 'messagesReferred'
  | 'messageContent'
  | 'openMessages'
  | 'unknownMessages'
  | 'dailyCounts'
  | 'hasDelivered'
  | 'usage'
>

/** How the operator finds messages. Each list goes along an index and ends at its limit. */
export function messageReads({ db }: Connection): MessageReads {
  const isOlder = ({ createdAt, seq }: Pick<typeof messages.$inferSelect, 'createdAt' | 'seq'>) =>
    or(lt(messages.createdAt, createdAt), and(eq(messages.createdAt, createdAt), lt(messages.seq, seq)))

  const place = (id: string) =>
    db.select({ seq: messages.seq, createdAt: messages.createdAt }).from(messages).where(eq(messages.id, id)).get() ??
    null

  return {
    async messages({ workspaceId, status, since, until, after, limit, lineId, apiKeyId, ...fields }) {
      const cursor = after === undefined ? undefined : place(after)
      if (cursor === null) return []
      // All of what is open is sorted. For its dates alone, SQLite might walk through all messages of these days.
      const at = isOpen(status) ? sql`+${messages.createdAt}` : sql`${messages.createdAt}`
      return messagesWhere(
        db,
        and(
          // A recipient, and what is not settled, have an index of their own.
          fields.recipient === undefined && !isOpen(status)
            ? eq(messages.workspaceId, workspaceId)
            : isOfWorkspace(workspaceId),
          status === undefined ? undefined : hasStatus(status),
          ...equalTo(fields),
          lineId === undefined ? undefined : isOfLine(lineId),
          apiKeyId === undefined ? undefined : isOfKey(apiKeyId),
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

    async messagesReferred({ reference, workspaceId }) {
      // The plus keeps SQLite from walking through the workspace.
      const isOfWorkspace = workspaceId === undefined ? undefined : sql`+${messages.workspaceId} = ${workspaceId}`
      const find = (condition: SQL | undefined) =>
        messagesWhere(db, and(condition, isOfWorkspace)).limit(referredMax).all()
      const byId = find(eq(messages.id, reference))
      if (byId.length > 0) return byId
      // Each names the condition of its partial index.
      const upstreams = find(isChannelMessage(reference))
      if (upstreams.length > 0) return upstreams
      return find(hasIdempotencyKey(reference))
    },

    messageContent: async id =>
      db
        .select({ payload: messageContents.payload })
        .from(messages)
        .innerJoin(messageContents, eq(messageContents.messageSeq, messages.seq))
        .where(eq(messages.id, id))
        .get()?.payload ?? null,

    async openMessages({ workspaceId, max }) {
      const count = (status: MessageStatus) => {
        const first = db
          .select({ lostAt: messages.lostAt })
          .from(messages)
          .where(and(hasStatus(status), isOfWorkspace(workspaceId)))
          .orderBy(messages.id)
          .limit(max)
        const rows = first.all()
        const since = rows.flatMap(({ lostAt }) => (lostAt === null ? [] : [lostAt]))
        return {
          count: rows.length,
          since: since.length === 0 ? null : Math.min(...since),
          isMore: rows.length === max,
        }
      }
      const [queued, unknown] = [count('QUEUED'), count('UNKNOWN')]
      return {
        queued: queued.count,
        unknown: unknown.count,
        unknownSince: unknown.since,
        isMore: queued.isMore || unknown.isMore,
      }
    },

    async unknownMessages() {
      const counted = db
        .select({ count: count(), since: min(messages.lostAt) })
        .from(messages)
        .where(hasStatus('UNKNOWN'))
        .get()
      return counted ?? { count: 0, since: null }
    },

    dailyCounts: async ({ workspaceId, since }) =>
      db
        .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
        .from(dailyCounts)
        .where(and(eq(dailyCounts.workspaceId, workspaceId), gte(dailyCounts.day, since)))
        .orderBy(dailyCounts.day, dailyCounts.kind)
        .all(),

    async hasDelivered(workspaceId) {
      const isDelivered = and(
        eq(dailyCounts.workspaceId, workspaceId),
        inArray(dailyCounts.kind, ['DELIVERED', 'READ']),
        gt(dailyCounts.count, 0),
      )
      return db.select({ day: dailyCounts.day }).from(dailyCounts).where(isDelivered).limit(1).get() !== undefined
    },

    usage: async ({ workspaceId, month, limit }) =>
      db
        .select({
          ...getTableColumns(planUsage),
          workspaceName: workspaces.name,
          limit: workspaces.monthlyMessageLimit,
        })
        .from(planUsage)
        .innerJoin(workspaces, eq(workspaces.id, planUsage.workspaceId))
        .where(
          and(
            workspaceId === undefined ? undefined : eq(planUsage.workspaceId, workspaceId),
            month === undefined ? undefined : eq(planUsage.month, month),
          ),
        )
        .orderBy(desc(planUsage.month), planUsage.workspaceId)
        .limit(limit)
        .all(),
  }
}

type Fields = Omit<
  MessageQuery,
  'workspaceId' | 'lineId' | 'apiKeyId' | 'status' | 'since' | 'until' | 'after' | 'limit'
>

const equalTo = (fields: Fields) =>
  Object.entries(fields).map(([field, value]) =>
    value === undefined ? undefined : eq(messages[field as keyof Fields], value),
  )

const isOpen = (status: MessageStatus | undefined) => status === 'QUEUED' || status === 'UNKNOWN'

/** What is rare has an index of its own, which the planner uses where its condition stands word for word. */
function hasStatus(status: MessageStatus): SQL | undefined {
  if (status === 'FAILED') return sql`status = 'FAILED'`
  if (isOpen(status)) return and(isUnsettled, eq(messages.status, status))
  return eq(messages.status, status)
}
