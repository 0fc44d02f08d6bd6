import { and, asc, eq, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { holds } from '../../src/telemetry/promises.ts'
import { eventAbout } from '../contract/events.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { AttemptOutcome, WebhookDeliveryWrites } from '../contract/webhookDelivery.ts'
import { attemptsKeptMax, type DeliveryAttempt, type WebhookEndpoint } from '../contract/webhooks.ts'
import type { Row } from '../schema/tables.ts'
import { changed, type Engine, first, prepared } from './engine.ts'
import { webhookColumns } from './webhookReads.ts'

/**
 * The verbs of the engine that delivers.
 * @param isMine the endpoints that this process has; undefined: all, since one process has the database
 */
export function webhookDeliveryVerbs(engine: Engine, isMine: SQL | undefined) {
  const { db, isAnyOf, listed, locking, tables } = engine
  const { eventCounters, webhookDeliveries, webhookEndpoints } = tables
  const { webhook: columns, isThere, isOn } = webhookColumns(engine)
  const isIt = (id: string | Placeholder) => and(eq(webhookEndpoints.id, id), isThere, isMine)
  // An endpoint that is busy has a record of its attempts ten times a second.
  const last = prepared(() =>
    db
      .select()
      .from(eventCounters)
      .where(eq(eventCounters.workspaceId, sql.placeholder('workspaceId'))),
  )
  const knownOf = prepared(() => {
    const isOne = isAnyOf(webhookDeliveries.seq, sql.placeholder('seqs'))
    const ofEndpoint = eq(webhookDeliveries.endpointId, sql.placeholder('endpointId'))
    return db.select().from(webhookDeliveries).where(and(ofEndpoint, isOne))
  })
  const setHealth = prepared(() => {
    const slots = ['position', 'deliveredAt', 'failedAt', 'failingSince'].map(name => [name, slotOf(name)])
    return db
      .update(webhookEndpoints)
      .set(Object.fromEntries(slots))
      .where(isIt(sql.placeholder('id')))
      .returning(columns)
  })

  return {
    async recordAttempts({ endpointId, position, outcomes }) {
      const before = await first(locking(db.select(columns).from(webhookEndpoints).where(isIt(endpointId))))
      if (!before) return null
      if (outcomes.length > 0) await putDeliveries(endpointId, outcomes)
      const known = (await first(last({ workspaceId: before.workspaceId })))?.last ?? 0
      // What is behind a position is told to nobody. Here it is read again, and what has its delivery is passed over.
      const about = () => ({ webhookId: endpointId, position, known })
      const reached = holds('positionKnown', position <= known, about) ? position : before.position
      const set = { position: Math.max(before.position, reached), ...healthAfter(before, outcomes) }
      return await changed(setHealth({ ...set, id: endpointId }))
    },

    async disableWebhook({ endpointId, reason, failedSince, at, url: address }) {
      const hasFailed = reason === 'gone' ? undefined : lt(webhookEndpoints.failingSince, failedSince)
      const off = { disabledAt: at, disabledReason: reason }
      const isItsAddress = address === undefined ? undefined : eq(webhookEndpoints.url, address)
      const isBad = and(isIt(endpointId), isOn, hasFailed, isItsAddress)
      const disabled = await first(db.update(webhookEndpoints).set(off).where(isBad).returning(columns))
      if (!disabled) return false
      const { id, workspaceId, url, description, failingSince } = disabled
      const since = failingSince === null ? null : new Date(failingSince).toISOString()
      // Keys that may only read events are told: a query may be a secret of the receiver.
      const data = { webhook: { id, url: url.replace(/\?.*/s, ''), description, reason, failingSince: since } }
      await engine.tell([eventAbout(id, { workspaceId, type: 'webhook.disabled', at, recordedAt: at, data })])
      return true
    },
  } satisfies Partial<StoreWrites>

  async function putDeliveries(endpointId: string, outcomes: readonly AttemptOutcome[]): Promise<void> {
    const known = await knownOf({ endpointId, seqs: listed(outcomes.map(outcome => outcome.seq)) })
    const byNumber = new Map<number, Omit<Row<'webhookDeliveries'>, 'endpointId' | 'seq'>>(
      known.map(row => [row.seq, row]),
    )
    for (const { attempt, ...outcome } of outcomes) {
      const before = byNumber.get(outcome.seq)
      const { attempts = [], attemptCount = 0, step = 0, nextAt = null } = before ?? {}
      // After a lost answer the same attempt may be recorded again.
      const isNew = attempt !== null && !attempts.some(({ at }) => at === attempt.at)
      const made = isNew ? 1 : 0
      // Somebody has asked for another attempt since this one was made: it is still to come.
      const isAskedAgain = attempt !== null && step === 0 && nextAt !== null && nextAt > attempt.at
      byNumber.set(outcome.seq, {
        ...(before && isAskedAgain ? before : { ...outcome, step: step + made }),
        attempts: isNew ? [...attempts, attempt].slice(-attemptsKeptMax) : attempts,
        attemptCount: attemptCount + made,
      })
    }
    // One of each number: an event that was tried twice since the last record has two outcomes.
    const rows = [...byNumber].map(([seq, row]) => ({ ...row, endpointId, seq }))
    await engine.put(webhookDeliveries, rows)
  }
}

/** A value that is set. It is written out, as a placeholder alone is no value of its column for Drizzle. */
const slotOf = (name: string) => sql`${sql.placeholder(name)}`

/** @returns what an endpoint's attempts say of it */
function healthAfter(
  { deliveredAt, failedAt, failingSince }: WebhookEndpoint,
  outcomes: readonly AttemptOutcome[],
): Pick<WebhookEndpoint, 'deliveredAt' | 'failedAt' | 'failingSince'> {
  const ends = outcomes.flatMap(({ attempt, state }) =>
    attempt === null ? [] : [{ at: endOf(attempt), worked: state === 'delivered' }],
  )
  for (const { at, worked } of ends.sort((one, other) => one.at - other.at)) {
    if (worked) deliveredAt = Math.max(deliveredAt ?? 0, at)
    else failedAt = Math.max(failedAt ?? 0, at)
    failingSince = worked ? null : (failingSince ?? at)
  }
  return { deliveredAt, failedAt, failingSince }
}

const endOf = ({ at, durationMs }: DeliveryAttempt) => at + durationMs

/** The verb that deletes what is over. Any process may. */
export function deliveryPruning(engine: Engine) {
  const { db, deleteSome, tables } = engine
  const { webhookDeliveries, webhookEndpoints } = tables
  return {
    async pruneDeliveries({ limit }) {
      const { id, removedAt, workspaceId } = webhookEndpoints
      // Of a workspace without events: the next number.
      const oldest = sql<number>`coalesce(
        (SELECT min(events.seq) FROM events WHERE events.workspace_id = webhook_endpoints.workspace_id),
        (SELECT last + 1 FROM event_counters WHERE event_counters.workspace_id = webhook_endpoints.workspace_id), 0)`
      const all = await db
        .select({ id, removedAt, workspaceId, oldest: oldest.mapWith(Number) })
        .from(webhookEndpoints)
        .orderBy(asc(id))
      let pruned = 0
      for (const { id: endpoint, removedAt: gone, oldest: kept } of all) {
        if (pruned >= limit) return pruned
        const isOver = and(
          eq(webhookDeliveries.endpointId, endpoint),
          gone === null ? lt(webhookDeliveries.seq, kept) : undefined,
        )
        const { found, erased } = await deleteSome(webhookDeliveries, isOver ?? sql`FALSE`, limit - pruned)
        pruned += erased
        if (gone !== null && found === 0) await db.delete(webhookEndpoints).where(eq(id, endpoint))
      }
      return pruned
    },
  } satisfies Pick<WebhookDeliveryWrites, 'pruneDeliveries'>
}
