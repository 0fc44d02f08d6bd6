import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  like,
  lte,
  min,
  notLike,
  type SQL,
  sql,
} from 'drizzle-orm'
import { addedUp, priceKindStarts, templateKindStart } from '../../src/message/counts.ts'
import { isDelivered, isShownAsWaiting, isUncertain, type StatusQuestion } from '../../src/message/statuses.ts'
import type { StoreReads } from '../contract/store.ts'
import type { Row } from '../schema/tables.ts'
import { type Engine, first, prepared } from './engine.ts'

/** Several callers may use one idempotency key, each in its scope. */
const referredMax = 20

/** A person reads them; each is one press of a button. */
const shownAgainMax = 20

/** A bound for the events of one message, which grow with callbacks. Only shown to the operator. */
const shownEventsMax = 1_000

type MessageReads = Pick<
  StoreReads,
  | 'messagesReferred'
  | 'messageContent'
  | 'messageContents'
  | 'openMessages'
  | 'unknownMessages'
  | 'handedOverSince'
  | 'dailyCounts'
  | 'hasDelivered'
  | 'usage'
  | 'sentAgainAs'
  | 'timeline'
>

/** What is read of messages beside the lists of them. */
export function messageReads({ db, tables, columns, conditions, isAnyOf, uncounted }: Engine): MessageReads {
  const { apiKeys, dailyCounts, lines, messageContents, messageEvents, messages, planUsage, workspaces } = tables
  const { hasIdempotencyKey, isChannelMessage, isNotElsewhere, isOfWorkspace, isOneUnsettled } = conditions

  // Asked with each status that is delivered in the platform's format.
  const { messageSeq, ...shown } = getTableColumns(messageEvents)
  const { at, recordedAt, kind, detail } = messageEvents
  const entriesOf = prepared(() =>
    db
      .select(shown)
      .from(messages)
      .innerJoin(messageEvents, eq(messageSeq, messages.seq))
      .where(eq(messages.id, sql.placeholder('messageId')))
      .orderBy(asc(at), asc(recordedAt), asc(kind), asc(detail))
      .limit(shownEventsMax),
  )

  return {
    async messagesReferred({ reference, workspaceId }) {
      const isThere = workspaceId === undefined ? undefined : isNotElsewhere(workspaceId)
      const find = async (condition: SQL | undefined) =>
        await db
          .select(columns.messageColumns)
          .from(messages)
          // A cross join keeps SQLite from going from the lines to messages.
          .crossJoin(lines)
          .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
          .where(and(eq(lines.seq, messages.lineSeq), condition, isThere))
          .limit(referredMax)
      const byId = await find(eq(messages.id, reference))
      if (byId.length > 0) return byId
      // Each names the condition of its partial index.
      const upstreams = await find(isChannelMessage(reference))
      if (upstreams.length > 0) return upstreams
      const byKey = await find(hasIdempotencyKey(reference))
      // Not in SQL: PostgreSQL might walk through all messages in this order.
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

    async messageContents(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db
        .select({ id: messages.id, payload: messageContents.payload })
        .from(messages)
        .innerJoin(messageContents, eq(messageContents.messageSeq, messages.seq))
        .where(isAnyOf(messages.id, ids))
      return new Map(rows.map(({ id, payload }) => [id, payload]))
    },

    async openMessages({ workspaceId, max }) {
      const counted = async (question: StatusQuestion) => {
        const rows = await db
          .select({ lostAt: messages.lostAt })
          .from(messages)
          .where(and(isOneUnsettled(question), isOfWorkspace(workspaceId)))
          .orderBy(messages.id)
          .limit(max)
        const since = rows.flatMap(({ lostAt }) => (lostAt === null ? [] : [lostAt]))
        return {
          count: rows.length,
          since: since.length === 0 ? null : Math.min(...since),
          isMore: rows.length === max,
        }
      }
      const [queued, unknown] = await Promise.all([counted(isShownAsWaiting), counted(isUncertain)])
      const underWay = (await uncounted()).underWay.filter(of => of === workspaceId).length
      return {
        queued: Math.min(queued.count + underWay, max),
        unknown: unknown.count,
        unknownSince: unknown.since,
        isMore: queued.count + underWay >= max || unknown.isMore,
      }
    },

    async unknownMessages() {
      const counted = db
        .select({ count: count(), since: min(messages.lostAt) })
        .from(messages)
        .where(isOneUnsettled(isUncertain))
      return (await first(counted)) ?? { count: 0, since: null }
    },

    async handedOverSince({ since, among }) {
      const { dispatchedAt, lineSeq, seq } = messages
      const last = sql`(SELECT max(seq) FROM messages)`
      // Also up to the last: without statistics, PostgreSQL takes a range that has one end for a third of the table.
      const isLatest = and(gt(seq, sql`${last} - ${among}`), lte(seq, last))
      return await db
        .select({ lineId: lines.id, count: count() })
        .from(messages)
        // A cross join keeps SQLite from going from the lines to messages.
        .crossJoin(lines)
        .where(and(eq(lines.seq, lineSeq), isLatest, gte(dispatchedAt, since)))
        .groupBy(lines.id)
    },

    async dailyCounts({ workspaceId, since }) {
      // The usage has months in place of days, and templates and prices.
      const others = [templateKindStart, ...priceKindStarts]
      const counted = await db
        .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
        .from(dailyCounts)
        .where(
          and(
            eq(dailyCounts.workspaceId, workspaceId),
            gte(dailyCounts.day, since),
            like(dailyCounts.day, '%-%-%'),
            ...others.map(start => notLike(dailyCounts.kind, `${start}%`)),
          ),
        )
      const { days } = await uncounted()
      const isShown = ({ workspaceId: of, day, kind }: Row<'dailyCounts'>) =>
        of === workspaceId && day >= since && !others.some(start => kind.startsWith(start))
      return addedUp([...counted, ...days.filter(isShown)])
    },

    async hasDelivered(workspaceId) {
      const hasAny = and(
        eq(dailyCounts.workspaceId, workspaceId),
        inArray(dailyCounts.kind, [...isDelivered.statuses]),
        gt(dailyCounts.count, 0),
      )
      const counted = await first(db.select({ day: dailyCounts.day }).from(dailyCounts).where(hasAny).limit(1))
      const isOne = ({ workspaceId: of, kind }: Row<'dailyCounts'>) =>
        of === workspaceId && isDelivered.statuses.some(status => status === kind)
      return counted !== null || (await uncounted()).days.some(isOne)
    },

    async usage({ workspaceId, month, limit }) {
      const counted = await db
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
      const { months } = await uncounted()
      const addedTo = (row: Row<'planUsage'>) =>
        months.find(({ workspaceId, month }) => workspaceId === row.workspaceId && month === row.month)?.used ?? 0
      return counted.map(row => ({ ...row, used: row.used + addedTo(row) }))
    },

    async sentAgainAs(messageId) {
      const { id, againOf, seq } = messages
      const found = await db
        .select({ id })
        .from(messages)
        .where(eq(againOf, messageId))
        .orderBy(desc(seq))
        .limit(shownAgainMax)
      return found.map(message => message.id)
    },

    async timeline(messageId) {
      const rows = await entriesOf({ messageId })
      return rows.map(({ detail, ...entry }) => {
        const { callback, ...own } = detail === '' ? {} : JSON.parse(detail)
        return { ...entry, detail: Object.keys(own).length > 0 ? own : null, ...(callback && { callback }) }
      })
    },
  }
}
