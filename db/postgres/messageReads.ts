import { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, lt, min, type SQL, sql } from 'drizzle-orm'
import type { Message, MessageQuery } from '../records.ts'
import type { StoreReads } from '../store.ts'
import { newestMessages } from './messageSearch.ts'
import { type Connection, first } from './open.ts'
import {
  hasIdempotencyKey,
  isChannelMessage,
  isNotElsewhere,
  isOfKey,
  isOfLine,
  isOfWorkspace,
  messagesWhere,
} from './rows.ts'
import { dailyCounts, messageContents, messageEvents, messages, planUsage, workspaces } from './schema/tables.ts'

/** Several callers may use one idempotency key, each in its scope. */
const referredMax = 20

/** Events of one message: callbacks make them grow. Shown to the operator, nothing is decided by it. */
const shownMax = 1_000

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
  | 'timeline'
>

/** How the operator finds messages. Each list goes along an index and ends at its limit. */
export function messageReads(connection: Connection): MessageReads {
  const { db } = connection

  const place = (id: string) =>
    first(db.select({ seq: messages.seq, createdAt: messages.createdAt }).from(messages).where(eq(messages.id, id)))

  /** What is open lies in the order of the ids. It is rare, so that all of it may be sorted. */
  async function openOnes(
    {
      workspaceId,
      status,
      since,
      until,
      limit,
      lineId,
      apiKeyId,
      recipient,
      type,
      templateName,
    }: Filter & { status: Open },
    cursor: Place | undefined,
  ): Promise<Message[]> {
    const equal = { recipient, type, templateName }
    return await messagesWhere(
      db,
      and(
        hasStatus(status),
        isOfWorkspace(workspaceId),
        ...Object.entries(equal).map(([field, value]) =>
          value === undefined ? undefined : eq(messages[field as keyof typeof equal], value),
        ),
        lineId === undefined ? undefined : isOfLine(lineId),
        apiKeyId === undefined ? undefined : isOfKey(apiKeyId),
        since === undefined ? undefined : gte(messages.createdAt, since),
        until === undefined ? undefined : lt(messages.createdAt, until),
        cursor && sql`(${messages.createdAt}, ${messages.seq}) < (${cursor.createdAt}, ${cursor.seq})`,
      ),
    )
      .orderBy(desc(messages.createdAt), desc(messages.seq))
      .limit(limit)
  }

  return {
    async messages({ after, ...filter }) {
      const cursor = after === undefined ? undefined : await place(after)
      if (cursor === null || filter.limit <= 0) return []
      const { status } = filter
      return status === 'QUEUED' || status === 'UNKNOWN'
        ? openOnes({ ...filter, status }, cursor)
        : newestMessages(connection, filter, cursor && `${cursor.createdAt}.${cursor.seq}`)
    },

    async messagesReferred({ reference, workspaceId }) {
      const isOfWorkspace = workspaceId === undefined ? undefined : isNotElsewhere(workspaceId)
      const find = async (condition: SQL | undefined) =>
        await messagesWhere(db, and(condition, isOfWorkspace)).limit(referredMax)
      const byId = await find(eq(messages.id, reference))
      if (byId.length > 0) return byId
      // Each names the condition of its partial index.
      const upstreams = await find(isChannelMessage(reference))
      if (upstreams.length > 0) return upstreams
      const byKey = await find(hasIdempotencyKey(reference))
      // Not in SQL: the planner might walk through all messages in this order.
      return byKey.sort((one, other) => one.createdAt - other.createdAt)
    },

    async messageContent(id) {
      const found = db
        .select({ payload: messageContents.payload })
        .from(messages)
        .innerJoin(messageContents, eq(messageContents.messageSeq, messages.seq))
        .where(eq(messages.id, id))
      return (await first(found))?.payload ?? null
    },

    async openMessages({ workspaceId, max }) {
      const counted = async (status: Open) => {
        const rows = await db
          .select({ lostAt: messages.lostAt })
          .from(messages)
          .where(and(hasStatus(status), isOfWorkspace(workspaceId)))
          .orderBy(messages.id)
          .limit(max)
        const since = rows.flatMap(({ lostAt }) => (lostAt === null ? [] : [lostAt]))
        return {
          count: rows.length,
          since: since.length === 0 ? null : Math.min(...since),
          isMore: rows.length === max,
        }
      }
      const [queued, unknown] = await Promise.all([counted('QUEUED'), counted('UNKNOWN')])
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
      return (await first(counted)) ?? { count: 0, since: null }
    },

    dailyCounts: async ({ workspaceId, since }) =>
      await db
        .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
        .from(dailyCounts)
        .where(and(eq(dailyCounts.workspaceId, workspaceId), gte(dailyCounts.day, since)))
        .orderBy(dailyCounts.day, dailyCounts.kind),

    async hasDelivered(workspaceId) {
      const isDelivered = and(
        eq(dailyCounts.workspaceId, workspaceId),
        inArray(dailyCounts.kind, ['DELIVERED', 'READ']),
        gt(dailyCounts.count, 0),
      )
      return (await first(db.select({ day: dailyCounts.day }).from(dailyCounts).where(isDelivered).limit(1))) !== null
    },

    usage: async ({ workspaceId, month, limit }) =>
      await db
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
        .limit(limit),

    async timeline(messageId) {
      const { messageSeq, ...shown } = getTableColumns(messageEvents)
      const { at, recordedAt, kind } = messageEvents
      const rows = await db
        .select(shown)
        .from(messages)
        .innerJoin(messageEvents, eq(messageSeq, messages.seq))
        .where(eq(messages.id, messageId))
        .orderBy(asc(at), asc(recordedAt), asc(kind), asc(messageEvents.detail))
        .limit(shownMax)
      return rows.map(({ detail, ...entry }) => ({ ...entry, detail: detail === '' ? null : JSON.parse(detail) }))
    },
  }
}

type Filter = Omit<MessageQuery, 'after'>
type Place = Pick<typeof messages.$inferSelect, 'createdAt' | 'seq'>

type Open = 'QUEUED' | 'UNKNOWN'

/** Of an open status. It stands in the statement as a word, so that the planner knows how few messages have it. */
const hasStatus = (status: Open): SQL => (status === 'QUEUED' ? sql`status = 'QUEUED'` : sql`status = 'UNKNOWN'`)
