import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  like,
  lt,
  ne,
  or,
  sql,
} from 'drizzle-orm'
import { dayMs } from '../../src/base/durations.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { badNumberReason } from '../../src/message/batches.ts'
import { failureReasonIn } from '../../src/message/state.ts'
import { hasFailed } from '../../src/message/statuses.ts'
import {
  type Batch,
  type BatchItem,
  type BatchReads,
  type ItemStatus,
  type OwnFields,
  ownFields,
  type Person,
  type ShownItem,
} from '../contract/batches.ts'
import type { Row } from '../schema/tables.ts'
import { isTrue } from './answers.ts'
import { batchSums } from './batchSums.ts'
import { without } from './columns.ts'
import { wantsNoMarketing } from './contactReads.ts'
import { type Engine, first, prepared, selectedThrough } from './engine.ts'

/** What the tables have of batches and items, as people see them. */
export function batchColumns({ tables: { batches, batchItems } }: Engine) {
  return {
    batch: without(getTableColumns(batches), 'fingerprint', 'keepsContent') satisfies Readonly<
      Record<keyof Batch, Column>
    >,
    item: without(getTableColumns(batchItems), 'batchId') satisfies Readonly<Record<keyof BatchItem, Column>>,
  }
}

/** As the partial index has it. */
export const isOpenBatch = sql`state IN ('scheduled', 'running')`

/** What an item shows of its message. */
type FoundMessage = { readonly id: string } & Pick<
  Row<'messages'>,
  'status' | 'failures' | 'gaveUpReason' | 'channelMessageId'
>

export function batchReads(engine: Engine): BatchReads {
  const { db, forEach, isAnyOf, listed, tables } = engine
  const { batches, batchItems, contacts, inboundMessages, messages } = tables
  const { batch: columns, item: itemColumns } = batchColumns(engine)
  const { batchId: of, number, state, messageId, recipient, reference, reason, body } = batchItems

  // Asked once a second.
  const running = prepared(() =>
    db
      .select(columns)
      .from(batches)
      .where(and(isOpenBatch, eq(batches.state, 'running')))
      .orderBy(asc(batches.id)),
  )
  const hasContent = sql`${body} IS NOT NULL`.mapWith(Boolean)
  // Nearly all bodies have values alone: they are not read.
  const mayHaveOwn = or(...ownFields.map(name => like(body, `%"${name}"%`)))
  const own = sql`CASE WHEN ${mayHaveOwn} THEN ${body} END`.mapWith((written: string) => ownIn(JSON.parse(written)))

  const noMarketing = wantsNoMarketing(tables).mapWith(isTrue)

  const { wholeMessagesOf, sumsOf } = batchSums(engine)

  const messagesOf = prepared(() => {
    const { status, failures, gaveUpReason, channelMessageId } = messages
    // With its table: what SQLite lists the asked ids by has a column of this name too.
    const id = sql<string>`messages.id`
    return db
      .select({ ...selectedThrough({ status, failures, gaveUpReason, channelMessageId }), id })
      .from(forEach(sql.placeholder('ids'), messages, sql`${id} = asked.value`))
  })

  const batch = async (batchId: string) => first(db.select(columns).from(batches).where(eq(batches.id, batchId)))

  /** A part of the items, each with what became of it. */
  async function step({ batchId, after, limit }: { batchId: string; after: number; limit: number }) {
    const isCancelled = (await batch(batchId))?.state === 'cancelled'
    const items = await db
      .select({ number, state, messageId, recipient, reference, reason, hasContent, own })
      .from(batchItems)
      .where(and(eq(of, batchId), gt(number, after)))
      .orderBy(asc(number))
      .limit(limit)
    const ids = items.flatMap(item => item.messageId ?? [])
    const next = items.length < limit ? null : (items.at(-1)?.number ?? null)
    /** Shows them with their messages, as far as these are there. */
    const shownWith = (found: readonly FoundMessage[]): ShownItem[] => {
      const byId = new Map(found.map(message => [message.id, message]))
      return items.map(({ state, ...item }) => {
        const message = item.messageId === null ? undefined : byId.get(item.messageId)
        // One that is claimed has perhaps no message yet.
        const messageId = message || state === 'sent' ? item.messageId : null
        const reason = message && hasFailed(message.status) ? badNumberReason(failureReasonIn(message)) : null
        if (reason) return { ...item, messageId, status: 'SKIPPED', reason }
        return { ...item, messageId, status: message?.status ?? statusOf(state, isCancelled) }
      })
    }
    return { ids, next, shownWith }
  }

  return {
    batch,

    async batches({ workspaceId, after, limit }) {
      const isNext = after === null ? undefined : lt(batches.id, after)
      return await db
        .select(columns)
        .from(batches)
        .where(and(eq(batches.workspaceId, workspaceId), isNext))
        .orderBy(desc(batches.id))
        .limit(limit)
    },

    runningBatches: async () => await running({}),

    async countBatchItems(of) {
      const { ids, next, shownWith } = await step(of)
      const found = ids.length === 0 ? [] : await wholeMessagesOf({ ids: listed(ids) })
      return { ...sumsOf(shownWith(found), found), next }
    },

    async batchItems({ statuses, ...of }) {
      const { ids, next, shownWith } = await step(of)
      const shown = shownWith(ids.length === 0 ? [] : await messagesOf({ ids: listed(ids) }))
      return { items: statuses === null ? shown : shown.filter(({ status }) => statuses.includes(status)), next }
    },

    async batchItemStates(batchId) {
      const counted = await db.select({ state, count: count() }).from(batchItems).where(eq(of, batchId)).groupBy(state)
      return Object.fromEntries(counted.map(({ state, count }) => [state, count]))
    },

    firstBatchItems: async ({ batchId, limit }) =>
      await db
        .select(itemColumns)
        .from(batchItems)
        .where(and(eq(of, batchId), ne(state, 'skipped'), isNotNull(body)))
        .orderBy(asc(number))
        .limit(limit),

    async people({ workspaceId, after, limit }) {
      const { id, phone, userId, name, heardSeq, mergedInto } = contacts
      const rows = await db
        .select({ id, phone, userId, name, heardSeq, mergedInto, noMarketing })
        .from(contacts)
        .where(and(eq(contacts.workspaceId, workspaceId), after === null ? undefined : lt(id, after)))
        .orderBy(desc(contacts.workspaceId), desc(id))
        .limit(limit)
      // Joined, PostgreSQL would read all that was ever written to the workspace.
      const { seq, at } = inboundMessages
      const heard = await db
        .select({ seq, at })
        .from(inboundMessages)
        .where(
          and(
            eq(inboundMessages.workspaceId, workspaceId),
            isAnyOf(
              seq,
              rows.flatMap(row => row.heardSeq ?? []),
            ),
          ),
        )
      const atOf = new Map(heard.map(row => [Number(row.seq), row.at]))
      return {
        people: rows.flatMap(({ mergedInto, heardSeq, ...person }) =>
          mergedInto === null && mayGet(person) ? [{ ...person, heardAt: atOf.get(Number(heardSeq)) ?? null }] : [],
        ),
        next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
      }
    },

    async heardPeople({ workspaceId, since, after, limit }) {
      const { id, phone, userId, name, heardSeq } = contacts
      const isNext = after === null ? isNotNull(heardSeq) : lt(heardSeq, after)
      const rows = await db
        .select({
          ...{ id, phone, userId, name, seq: heardSeq, heardAt: inboundMessages.at },
          noMarketing,
        })
        .from(contacts)
        .innerJoin(
          inboundMessages,
          and(eq(inboundMessages.workspaceId, contacts.workspaceId), eq(inboundMessages.seq, heardSeq)),
        )
        .where(and(eq(contacts.workspaceId, workspaceId), isNext))
        .orderBy(desc(heardSeq))
        .limit(limit)
      const last = rows.at(-1)
      // About in the order of their times: who wrote shortly before is there, and nobody is looked for far behind.
      const isOver = rows.length < limit || !last || last.heardAt < since - dayMs
      const people = rows.filter(row => row.heardAt >= since && mayGet(row))
      return {
        people: people.map(({ seq: _, ...person }) => person),
        next: isOver || last.seq === null ? null : Number(last.seq),
      }
    },

    claimedBatchItems: async ({ batchId, from, limit }) =>
      await db
        .select(itemColumns)
        .from(batchItems)
        .where(and(eq(of, batchId), eq(state, 'claimed'), gte(number, from)))
        .orderBy(asc(number))
        .limit(limit),
  }
}

const mayGet = ({ phone, userId }: Pick<Person, 'phone' | 'userId'>) => phone !== null || userId !== null

/** @returns null: it has none */
function ownIn(body: JsonObject): OwnFields | null {
  const own = ownFields.flatMap(name => (body[name] === undefined ? [] : [[name, body[name]] as const]))
  return own.length === 0 ? null : Object.fromEntries(own)
}

/** @returns what an item is without a message */
function statusOf(state: BatchItem['state'], isCancelled: boolean): ItemStatus {
  switch (state) {
    case 'waiting':
    case 'claimed':
      return isCancelled ? 'CANCELLED' : 'WAITING'
    case 'sent':
      return 'DELETED'
    case 'failed':
      return 'FAILED'
    case 'skipped':
      return 'SKIPPED'
    case 'cancelled':
      return 'CANCELLED'
  }
}
