import { and, asc, count, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import {
  type BatchReason,
  type BatchState,
  batchItemsMax,
  hasEnded,
  type ItemState,
  moveOf,
  openBatchesMax,
  openBatchStates,
} from '../../src/message/batches.ts'
import { holds } from '../../src/telemetry/promises.ts'
import type { Batch, BatchWork, BatchWrites, NewBatchItem } from '../contract/batches.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { Row } from '../schema/tables.ts'
import { batchColumns, isOpenBatch } from './batchReads.ts'
import { changed, type Engine, first, portionsOf, prepared, selectedThrough } from './engine.ts'

/** Of an item that names whom an earlier one names. */
const sameRecipient: BatchReason = {
  code: 'DUPLICATE',
  message: 'An earlier item of the batch has the same recipient.',
}

/** What moves a batch beside its state. What is left out stays as it is; without a reason it has none. */
interface Moving {
  readonly keyId?: string | null | undefined
  readonly reason?: BatchReason | null | undefined
  readonly sendAt?: EpochMs | undefined
}

/** The verbs of batches. They tell events, and lock the batch: one step of it comes after the other. */
export function batchVerbs(engine: Engine): BatchWrites & BatchWork {
  const { db, forEach, isAnyOf, listed, locking, put, tables, tell } = engine
  const { batches, batchItems, messages, workspaces } = tables
  const { batch: columns, item: itemColumns } = batchColumns(engine)
  const { batchId: of, number, state, recipient } = batchItems

  const isIt = (id: string) => eq(batches.id, id)
  const locked = (id: string) => first(locking(db.select().from(batches).where(isIt(id))))
  const read = (id: string) => changed(db.select(columns).from(batches).where(isIt(id)))
  /** Who changes items has locked their batch. */
  const itemsOf = async (batchId: string, numbers: readonly number[]) =>
    await db
      .select()
      .from(batchItems)
      .where(and(eq(of, batchId), isAnyOf(number, numbers)))

  const named = prepared(() => {
    const isOfBatch = sql`${of} = ${sql.placeholder('batchId')} AND ${state} <> 'skipped'`
    const isEarlier = sql`${recipient} = asked.value AND ${isOfBatch}`
    return db.select(selectedThrough({ recipient })).from(forEach(sql.placeholder('names'), batchItems, isEarlier))
  })

  /** @returns which of these recipients an item of the batch has already */
  async function namedBefore(batchId: string, items: readonly NewBatchItem[]): Promise<Set<string>> {
    const names = listed([...new Set(items.map(item => item.recipient))])
    return new Set((await named({ batchId, names })).map(item => item.recipient))
  }

  async function addItems(batch: Pick<Row<'batches'>, 'id' | 'duplicates' | 'total'>, items: readonly NewBatchItem[]) {
    const skips = batch.duplicates === 'skip'
    const known = skips && batch.total > 0 ? await namedBefore(batch.id, items) : new Set<string>()
    const rows = items.map((item, at) => {
      const isAgain = skips && known.has(item.recipient)
      known.add(item.recipient)
      return {
        ...{ ...item, batchId: batch.id, number: batch.total + at, messageId: null, attempt: 0 },
        ...(isAgain
          ? ({ state: 'skipped', reason: sameRecipient } as const)
          : ({ state: 'waiting', reason: null } as const)),
      }
    })
    for (const portion of portionsOf(rows)) await db.insert(batchItems).values(portion)
    await db
      .update(batches)
      .set({ total: batch.total + items.length })
      .where(isIt(batch.id))
  }

  /** @returns whether these items stand in the batch from this place on */
  async function hasItems(batchId: string, offset: number, items: readonly NewBatchItem[]): Promise<boolean> {
    const place = sql`${number} >= ${offset}`
    const there = await db
      .select({ body: batchItems.body })
      .from(batchItems)
      .where(and(eq(of, batchId), place))
      .orderBy(asc(number))
      .limit(items.length)
    return (
      there.length === items.length &&
      items.every(({ body }, at) => Bun.deepEquals(there[at]?.body ?? null, body, true))
    )
  }

  const storedAmong = async (ids: readonly string[]) =>
    await db.select({ id: messages.id }).from(messages).where(isAnyOf(messages.id, ids))

  async function countedBy(batchId: string): Promise<Readonly<Partial<Record<ItemState, number>>>> {
    const rows = await db.select({ state, count: count() }).from(batchItems).where(eq(of, batchId)).groupBy(state)
    return Object.fromEntries(rows.map(row => [row.state, row.count]))
  }

  async function told(batch: Batch, type: NonNullable<NewEvent['type']>, at: EpochMs): Promise<NewEvent> {
    const { id, name, state, workspaceId, total, reason } = batch
    const by = await countedBy(id)
    const items = Object.values(by).reduce((sum, count) => sum + count, 0)
    holds('batchCounts', items === total, () => ({ batchId: id, state, total, items: by }))
    const left = (by.waiting ?? 0) + (by.claimed ?? 0)
    const isCancelled = state === 'cancelled'
    const counts = {
      ...{ total, waiting: isCancelled ? 0 : left, messages: by.sent ?? 0, failed: by.failed ?? 0 },
      ...{ skipped: by.skipped ?? 0, cancelled: (by.cancelled ?? 0) + (isCancelled ? left : 0) },
    }
    return eventAbout(null, {
      workspaceId,
      type,
      at,
      recordedAt: at,
      data: { batch: { id, name, state }, counts, reason },
    })
  }

  /** Moves a batch whose row is locked. */
  async function moved(
    { id, startedAt }: Row<'batches'>,
    to: BatchState,
    at: EpochMs,
    { keyId, reason = null, sendAt }: Moving,
  ): Promise<{ batch: Batch; event: NewEvent | null }> {
    const set = {
      ...{ state: to, reason, endedAt: hasEnded(to) ? at : null },
      ...(keyId !== undefined && { keyId }),
      ...(sendAt !== undefined && { sendAt }),
      ...(to === 'running' && startedAt === null && { startedAt: at }),
    }
    await db.update(batches).set(set).where(isIt(id))
    const batch = await read(id)
    const type = eventOf(to, startedAt === null)
    return { batch, event: type && (await told(batch, type, at)) }
  }

  /** @returns whether no item has still to become a message. Each state by itself, in the order of the index */
  async function isEmpty(batchId: string): Promise<boolean> {
    for (const left of ['waiting', 'claimed'] as const) {
      const those = and(eq(of, batchId), eq(state, left))
      if (await first(db.select({ number }).from(batchItems).where(those).orderBy(asc(number)).limit(1))) return false
    }
    return true
  }

  return {
    async createBatch({ batch, items, isLate = false }) {
      const { workspaceId, scope, idempotencyKey } = batch
      const isOne = eq(workspaces.id, workspaceId)
      // Two that are made at once are counted one after the other, and have one key.
      if (!(await first(locking(db.select({ id: workspaces.id }).from(workspaces).where(isOne)))))
        return { outcome: 'unknownWorkspace' }
      const isKey = and(eq(batches.scope, scope), eq(batches.idempotencyKey, idempotencyKey ?? ''))
      const same = idempotencyKey === null ? null : await first(db.select().from(batches).where(isKey))
      if (same && same.fingerprint !== batch.fingerprint) return { outcome: 'conflict' }
      if (same) return { outcome: 'replayed', batch: await read(same.id) }
      if (isLate) return { outcome: 'late' }
      const ofIt = and(eq(batches.workspaceId, workspaceId), inArray(batches.state, [...openBatchStates]))
      const open = await first(db.select({ count: count() }).from(batches).where(ofIt))
      if ((open?.count ?? 0) >= openBatchesMax) return { outcome: 'tooMany' }
      const starts = batch.state === 'running'
      const row = {
        ...batch,
        total: 0,
        startedAt: starts ? batch.createdAt : null,
        endedAt: null,
        reason: null,
        keepsContent: true,
      }
      await db.insert(batches).values(row)
      await addItems(row, items)
      const created = await read(batch.id)
      if (starts) await tell([await told(created, 'batch.started', batch.createdAt)])
      return { outcome: 'created', batch: created }
    },

    async addBatchItems({ batchId, offset, items, isLate = false }) {
      const batch = await locked(batchId)
      if (!batch) return { outcome: 'unknown' }
      const answer = async <Outcome extends string>(outcome: Outcome) => ({ outcome, batch: await read(batchId) })
      if (offset < batch.total && (await hasItems(batchId, offset, items))) return answer('replayed')
      if (isLate) return { outcome: 'late' }
      if (batch.state !== 'draft') return answer('notDraft')
      if (offset !== batch.total) return answer('conflict')
      if (batch.total + items.length > batchItemsMax) return answer('tooMany')
      await addItems(batch, items)
      return answer('added')
    },

    async moveBatch({ batchId, event, at, keyId, reason, sendAt }) {
      const before = await locked(batchId)
      if (!before) return { outcome: 'unknown' }
      const move = moveOf(before.state, event)
      if (event === 'schedule' && move.outcome === 'same' && sendAt !== undefined && sendAt !== before.sendAt)
        return { outcome: 'moved', batch: (await moved(before, before.state, at, { keyId, sendAt })).batch }
      if (move.outcome !== 'moved' || (event === 'finish' && !(await isEmpty(batchId))))
        return { outcome: move.outcome === 'same' ? 'same' : 'refused', batch: await read(batchId) }
      const { batch, event: news } = await moved(before, move.to, at, { keyId, reason, sendAt })
      if (news) await tell([news])
      return { outcome: 'moved', batch }
    },

    async retryBatchItems({ batchId, items, at }) {
      const before = await locked(batchId)
      if (!before || moveOf(before.state, 'retry').outcome === 'refused') return 0
      const asked = new Map(items.map(item => [item.number, item.messageId]))
      const again = (await itemsOf(batchId, [...asked.keys()])).filter(
        ({ state, messageId, number, body }) =>
          (state === 'sent' || state === 'claimed') && messageId === asked.get(number) && body !== null,
      )
      await put(
        batchItems,
        again.map(item => ({ ...item, state: 'waiting', messageId: null, reason: null })),
      )
      const count = again.length
      const move = moveOf(before.state, 'retry')
      if (count > 0 && move.outcome === 'moved') await moved(before, move.to, at, {})
      return count
    },

    async cancelBatchItem({ batchId, number }) {
      if (!(await locked(batchId))) return 'unknown'
      const [item] = await itemsOf(batchId, [number])
      if (!item) return 'unknown'
      if (item.state === 'cancelled') return 'same'
      if (item.state !== 'waiting') return 'late'
      await put(batchItems, [{ ...item, state: 'cancelled' }])
      return 'cancelled'
    },

    async startDueBatches({ at, lateBefore, lateReason }) {
      const isDue = and(isOpenBatch, eq(batches.state, 'scheduled'), lte(batches.sendAt, at))
      const due = await locking(db.select().from(batches).where(isDue).orderBy(asc(batches.id)).limit(openBatchesMax))
      const news: NewEvent[] = []
      for (const batch of due) {
        const isLate = (batch.sendAt ?? at) < lateBefore
        const { event } = await moved(batch, isLate ? 'paused' : 'running', at, isLate ? { reason: lateReason } : {})
        if (event) news.push(event)
      }
      if (news.length > 0) await tell(news)
      return due.length
    },

    async claimBatchItems({ batchId, messageIds }) {
      // It waits for a pause or an end that is being stored: none of its items is claimed after that.
      if ((await locked(batchId))?.state !== 'running') return null
      const waiting = await db
        .select(itemColumns)
        .from(batchItems)
        .where(and(eq(of, batchId), eq(state, 'waiting')))
        .orderBy(asc(number))
        .limit(messageIds.length)
      const claimed = waiting.map((item, at) => {
        const claim = { state: 'claimed', messageId: messageIds[at] ?? '', attempt: item.attempt + 1 } as const
        return { ...item, ...claim }
      })
      await put(
        batchItems,
        claimed.map(item => ({ ...item, batchId })),
      )
      return claimed
    },

    async settleBatchItems({ batchId, items }) {
      if (!(await locked(batchId))) return
      const ends = new Map(items.map(item => [item.number, item]))
      const settled = (await itemsOf(batchId, [...ends.keys()])).flatMap(item => {
        const end = ends.get(item.number)
        if (!end || item.state !== 'claimed' || item.messageId !== end.messageId) return []
        const { state, reason } = end
        return [{ ...item, state, reason, messageId: state === 'sent' ? item.messageId : null }]
      })
      const sent = settled.flatMap(({ messageId }) => messageId ?? [])
      const stored = sent.length === 0 ? [] : await storedAmong(sent)
      // Settled all the same: an item that stays claimed is sent once more.
      holds('itemsHaveMessages', stored.length === sent.length, () => ({ batchId, messageIds: sent }))
      await put(batchItems, settled)
    },

    async pauseBatches({ at, reason }) {
      const open = await locking(db.select().from(batches).where(isOpenBatch).orderBy(asc(batches.id)))
      const news: NewEvent[] = []
      for (const batch of open) {
        const { event } = await moved(batch, 'paused', at, { reason })
        if (event) news.push(event)
      }
      if (news.length > 0) await tell(news)
      return open.length
    },

    async pruneBatchContents({ endedBefore, limit }) {
      const isAged = and(sql`keeps_content`, lt(batches.endedAt, endedBefore))
      const old = await first(db.select({ id: batches.id }).from(batches).where(isAged).limit(1))
      if (!old) return 0
      const hasBody = and(eq(of, old.id), isNotNull(batchItems.body))
      const next = db.select({ number }).from(batchItems).where(hasBody).orderBy(asc(number)).limit(limit)
      const aged = (await next).map(item => item.number)
      if (aged.length === 0)
        await db
          .update(batches)
          .set({ keepsContent: false, defaults: {} })
          .where(and(isIt(old.id), isAged))
      await db
        .update(batchItems)
        .set({ body: null })
        .where(and(eq(of, old.id), isAnyOf(number, aged)))
      return limit
    },

    async pruneBatches({ endedBefore, limit }) {
      const isAged = and(isNotNull(batches.endedAt), lt(batches.endedAt, endedBefore))
      const old = await first(db.select({ id: batches.id }).from(batches).where(isAged).limit(1))
      if (!old) return 0
      const { found } = await engine.deleteSome(batchItems, sql`batch_id = ${old.id}`, limit)
      if (found === 0) await db.delete(batches).where(isIt(old.id))
      return limit
    },
  }
}

/** The fields of a send that name who gets it. */
const recipientFields: readonly string[] = ['phone', 'contactId', 'userId']

/**
 * Empties what batches have of a person, and lets it become no message.
 * @param named.names its numbers, and ids of it as a contact and as a user
 * @returns how many items; fewer than the limit: there are no others
 */
export async function eraseItems(
  { db, locking, put, through, tables: { batches, batchItems } }: Engine,
  { workspaceId, names }: { readonly workspaceId: string; readonly names: readonly string[] },
  limit: number,
): Promise<number> {
  let erased = 0
  for (const name of names) {
    const items = await db
      .select(selectedThrough({ batchId: batchItems.batchId, number: batchItems.number }))
      .from(through(batchItems, 'batch_items_recipient'))
      .where(
        and(
          eq(batchItems.recipient, name),
          inArray(
            batchItems.batchId,
            db.select({ id: batches.id }).from(batches).where(eq(batches.workspaceId, workspaceId)),
          ),
        ),
      )
      .limit(limit - erased)
    for (const [batchId, own] of Map.groupBy(items, item => item.batchId)) {
      const batch = await first(locking(db.select().from(batches).where(eq(batches.id, batchId))))
      const numbers = own.map(item => item.number)
      const rows = await db
        .select()
        .from(batchItems)
        .where(and(eq(batchItems.batchId, batchId), inArray(batchItems.number, numbers)))
      // Items that name nobody themselves have the recipient that all share.
      const isShared = rows.some(({ body }) => body !== null && !recipientFields.some(field => field in body))
      if (batch && isShared) {
        const others = Object.entries(batch.defaults).filter(([field]) => !recipientFields.includes(field))
        await db
          .update(batches)
          .set({ defaults: Object.fromEntries(others) })
          .where(eq(batches.id, batchId))
      }
      await put(
        batchItems,
        rows.map(row => ({
          ...{ ...row, recipient: '', reference: null, body: null },
          state: row.state === 'waiting' ? 'cancelled' : row.state,
        })),
      )
    }
    erased += items.length
    if (erased >= limit) break
  }
  return erased
}

/** @returns what is told of a batch that has become so */
function eventOf(to: BatchState, isFirst: boolean): NewEvent['type'] {
  if (to === 'paused') return 'batch.paused'
  if (hasEnded(to)) return 'batch.done'
  return to === 'running' && isFirst ? 'batch.started' : null
}
