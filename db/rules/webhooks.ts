import { and, asc, count, eq, gt, gte, isNull, lte, max, min, type SQL, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { dayMs } from '../../src/base/durations.ts'
import type { StoreWrites } from '../contract/store.ts'
import { concerns, eventsFor, hasBodyFor } from '../contract/webhookDelivery.ts'
import { type Delivery, type ReplayPlace, type WebhookEndpoint, webhooksMax } from '../contract/webhooks.ts'
import { changed, type Engine, first, portionsOf } from './engine.ts'
import { eventReads } from './events.ts'
import { webhookColumns } from './webhookReads.ts'

/** Events that one step of a replay looks at: some two milliseconds of a commit that it shares with sends. */
const replayedMax = 50
/** Events that a step passes over, because they were recorded before the time that is asked for. */
const passedMax = 5_000
/**
 * Events are found by their numbers, and a clock that was ahead has recorded some of before a time as of after it. So
 * they are looked for from so long before it. Clocks that are wrong by more reach no server.
 */
const aheadMsMax = 2 * dayMs

type Replayed = Pick<Delivery, 'seq' | 'type' | 'messageSeq'>

/** `next`: as in `replayWebhook`. */
interface ReplayStep {
  readonly found: readonly Replayed[]
  readonly next: ReplayPlace | null
}

/** Nothing opens them any more: endpoints get nothing until they have new ones. What a person switched off stays so. */
export async function forgetWebhookSecrets({ db, tables: { webhookEndpoints } }: Engine, at: EpochMs): Promise<void> {
  const { disabledAt, disabledReason, removedAt } = webhookEndpoints
  const reason = sql`CASE WHEN ${disabledReason} = 'switchedOff' THEN ${disabledReason} ELSE 'secretLost' END`
  const off = { disabledAt: sql`coalesce(${disabledAt}, ${at})`, disabledReason: reason }
  await db
    .update(webhookEndpoints)
    .set({ ...off, sealedSecrets: null, sealedHeaders: null })
    .where(isNull(removedAt))
}

/** The verbs of what people change of webhooks. */
export function webhookVerbs(engine: Engine) {
  const { db, isAnyOf, locking, tables } = engine
  const { eventCounters, events, lines, webhookDeliveries, webhookEndpoints, workspaces } = tables
  const { webhook: columns, isThere } = webhookColumns(engine)
  const { isLineThere } = engine.conditions

  const isIt = (id: string) => and(eq(webhookEndpoints.id, id), isThere)
  const locked = (id: string) => first(locking(db.select(columns).from(webhookEndpoints).where(isIt(id))))

  async function areLinesOf(workspaceId: string, lineIds: readonly string[] | null | undefined): Promise<boolean> {
    if (!lineIds) return true
    const isItsOwn = and(eq(lines.workspaceId, workspaceId), isLineThere, isAnyOf(lines.id, lineIds))
    const found = await db.select({ id: lines.id }).from(lines).where(isItsOwn)
    return lineIds.every(id => found.some(line => line.id === id))
  }

  /** Makes events due at an endpoint, whatever became of them before. */
  async function makeDue(endpointId: string, found: readonly Replayed[], at: EpochMs) {
    const rows = found.map(({ seq, type, messageSeq }) => ({
      ...{ endpointId, seq, type, messageSeq, nextAt: at },
      ...({ state: 'pending', attemptCount: 0, attempts: [], step: 0 } as const),
    }))
    const { endpointId: ofEndpoint, seq } = webhookDeliveries
    const again = { state: 'pending', step: 0, nextAt: at } as const
    for (const portion of portionsOf(rows))
      await db
        .insert(webhookDeliveries)
        .values(portion)
        .onConflictDoUpdate({ target: [ofEndpoint, seq], set: again })
  }

  /**
   * @returns a number that no event which was recorded before a time is above, unless the clock was set back; there is
   *   no index of these times
   */
  async function lastBefore(workspaceId: string, since: EpochMs): Promise<number> {
    const { seq, recordedAt } = events
    const ofIt = eq(events.workspaceId, workspaceId)
    // Each by itself: for both in one statement SQLite reads all that lies between them.
    const start = await first(
      db
        .select({ seq: min(seq) })
        .from(events)
        .where(ofIt),
    )
    const end = await first(
      db
        .select({ seq: max(seq) })
        .from(events)
        .where(ofIt),
    )
    let [low, high] = [(start?.seq ?? 1) - 1, end?.seq ?? 0]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const next = db
        .select({ recordedAt })
        .from(events)
        .where(and(ofIt, gte(seq, middle)))
        .orderBy(asc(seq))
        .limit(1)
      if (((await first(next))?.recordedAt ?? since) < since) low = middle
      else high = middle - 1
    }
    return low
  }

  async function placeOf({ workspaceId }: WebhookEndpoint, since: EpochMs): Promise<ReplayPlace> {
    const after = await lastBefore(workspaceId, since - aheadMsMax)
    const counter = db.select().from(eventCounters).where(eq(eventCounters.workspaceId, workspaceId))
    return { after, upTo: (await first(counter))?.last ?? 0 }
  }

  /**
   * Passes over what was recorded before a time.
   * @returns `isReached`: whether the next event is one to look at; null: there is none
   */
  async function passOver(workspaceId: string, { after, upTo }: ReplayPlace, since: EpochMs) {
    const { seq, recordedAt } = events
    const isNext = and(eq(events.workspaceId, workspaceId), gt(seq, after), lte(seq, upTo))
    const next = db.select({ seq, recordedAt }).from(events).where(isNext).orderBy(asc(seq)).limit(passedMax).as('next')
    const reached = await first(
      db.select({ seq: next.seq }).from(next).where(gte(next.recordedAt, since)).orderBy(asc(next.seq)).limit(1),
    )
    if (reached) return { place: { after: reached.seq - 1, upTo }, isReached: true }
    const looked = await first(db.select({ end: max(next.seq), count: count() }).from(next))
    const end = looked?.count === passedMax ? looked.end : null
    return end === null ? null : { place: { after: end, upTo }, isReached: false }
  }

  async function recordedSince(workspaceId: string, found: readonly Replayed[], since: EpochMs) {
    const { seq, recordedAt } = events
    const seqs = found.map(event => event.seq)
    const areThey = and(eq(events.workspaceId, workspaceId), isAnyOf(seq, seqs), gte(recordedAt, since))
    const those = new Set((await db.select({ seq }).from(events).where(areThey)).map(event => event.seq))
    return found.filter(event => those.has(event.seq))
  }

  /** @returns a step of a replay of many events */
  async function replayStep(
    webhook: WebhookEndpoint,
    { kind, since }: { readonly kind: 'failed' | 'all'; readonly since: EpochMs },
    from: ReplayPlace,
  ): Promise<ReplayStep> {
    const passed = await passOver(webhook.workspaceId, from, since)
    if (!passed?.isReached) return { found: [], next: passed?.place ?? null }
    const { place } = passed
    const step = kind === 'failed' ? await failedAfter(webhook.id, place) : await concerningAfter(webhook, place)
    return { ...step, found: await recordedSince(webhook.workspaceId, step.found, since) }
  }

  async function failedAfter(endpointId: string, { after, upTo }: ReplayPlace): Promise<ReplayStep> {
    const { seq, type, messageSeq, state, step } = webhookDeliveries
    const isNext = and(eq(webhookDeliveries.endpointId, endpointId), gt(seq, after), lte(seq, upTo))
    // Each state by itself, in the order of the index: a step stays bounded.
    const those = (condition: SQL | undefined) =>
      db
        .select({ seq, type, messageSeq })
        .from(webhookDeliveries)
        // The words of the partial index.
        .where(and(isNext, sql`state <> 'delivered'`, condition))
        .orderBy(asc(seq))
        .limit(replayedMax)
    const waiting = and(eq(state, 'pending'), gt(step, 0))
    const found = [...(await those(eq(state, 'failed'))), ...(await those(waiting))]
      .sort((one, other) => one.seq - other.seq)
      .slice(0, replayedMax)
    const last = found.at(-1)?.seq
    return { found, next: found.length < replayedMax || last === undefined ? null : { after: last, upTo } }
  }

  /** Of those behind the position, those that were tried: one attempt that hangs holds the position back. */
  async function triedOf({ id }: WebhookEndpoint, seqs: readonly number[]) {
    const { endpointId, seq } = webhookDeliveries
    const tried = db
      .select({ seq })
      .from(webhookDeliveries)
      .where(and(eq(endpointId, id), isAnyOf(seq, seqs)))
    return new Set(seqs.length === 0 ? [] : (await tried).map(({ seq }) => seq))
  }

  async function concerningAfter(webhook: WebhookEndpoint, { after, upTo }: ReplayPlace): Promise<ReplayStep> {
    const { position } = webhook
    const page = await eventReads(engine).events(eventsFor(webhook, { after, limit: replayedMax }))
    const behind = page.events.map(({ seq }) => seq).filter(seq => seq > position)
    const tried = await triedOf(webhook, behind)
    const isPast = ({ seq }: { readonly seq: number }) => seq <= upTo && (seq <= position || tried.has(seq))
    const found = page.events.filter(event => isPast(event) && concerns(webhook, event))
    const goesOn = page.hasMore && page.upTo < upTo && (page.upTo <= position || tried.size > 0)
    return { found, next: goesOn ? { after: page.upTo, upTo } : null }
  }

  return {
    async addWebhook({ workspaceId, ...webhook }) {
      // Two that are added at once are counted one after the other.
      const isOne = eq(workspaces.id, workspaceId)
      const workspace = await first(locking(db.select({ id: workspaces.id }).from(workspaces).where(isOne)))
      if (!workspace) return { outcome: 'unknownWorkspace' }
      if (!(await areLinesOf(workspaceId, webhook.lineIds))) return { outcome: 'unknownLine' }
      const ofIt = and(eq(webhookEndpoints.workspaceId, workspaceId), isThere)
      const there = await first(db.select({ count: count() }).from(webhookEndpoints).where(ofIt))
      if ((there?.count ?? 0) >= webhooksMax) return { outcome: 'tooMany' }
      const counter = db.select().from(eventCounters).where(eq(eventCounters.workspaceId, workspaceId))
      const position = (await first(counter))?.last ?? 0
      const added = db
        .insert(webhookEndpoints)
        .values({ ...webhook, workspaceId, position })
        .returning(columns)
      return { outcome: 'added', webhook: await changed(added) }
    },

    async changeWebhook({ endpointId, isOn, at, ...fields }) {
      const before = await locked(endpointId)
      if (!before) return { outcome: 'unknownWebhook' }
      if (!(await areLinesOf(before.workspaceId, fields.lineIds))) return { outcome: 'unknownLine' }
      if (isOn && before.sealedSecrets === null) return { outcome: 'secretLost' }
      const on = { disabledAt: null, disabledReason: null, failingSince: null }
      const off = { disabledAt: before.disabledAt ?? at, disabledReason: before.disabledReason ?? 'switchedOff' }
      const isMoved = fields.url !== undefined && fields.url !== before.url
      const hasDroppedHeaders = isMoved && fields.sealedHeaders === undefined && before.sealedHeaders !== null
      const set = {
        ...fields,
        ...(hasDroppedHeaders && { sealedHeaders: null }),
        ...(isOn === undefined ? {} : isOn ? on : off),
      } as const
      if (Object.keys(set).length === 0) return { outcome: 'changed', webhook: before, hasDroppedHeaders }
      const after = db.update(webhookEndpoints).set(set).where(isIt(endpointId)).returning(columns)
      return { outcome: 'changed', webhook: await changed(after), hasDroppedHeaders }
    },

    async replaceWebhookSecrets({ endpointId, former, sealedSecrets }) {
      const before = await locked(endpointId)
      if (!before || before.sealedSecrets !== former) return false
      await db.update(webhookEndpoints).set({ sealedSecrets }).where(isIt(endpointId))
      return true
    },

    async removeWebhook({ endpointId, at }) {
      const before = await locked(endpointId)
      if (!before) return null
      const noSecrets = { sealedSecrets: null, sealedHeaders: null }
      await db
        .update(webhookEndpoints)
        .set({ ...noSecrets, removedAt: at })
        .where(isIt(endpointId))
      return before
    },

    async replayWebhook({ endpointId, what, after, at }) {
      const webhook = await locked(endpointId)
      if (!webhook) return { due: 0, next: null }
      if (what.kind === 'event') {
        const asked = { workspaceId: webhook.workspaceId, seqs: [what.seq] }
        const found = (await eventReads(engine).numberedEvents(asked)).filter(event => hasBodyFor(webhook, event))
        await makeDue(endpointId, found, at)
        return { due: found.length, next: null }
      }
      const step = await replayStep(webhook, what, after ?? (await placeOf(webhook, what.since)))
      await makeDue(endpointId, step.found, at)
      return { due: step.found.length, next: step.next }
    },
  } satisfies Partial<StoreWrites>
}
