import { numberedId } from '../../../src/base/ids.ts'
import { tenants } from '../tenants.ts'
import { type Found, restoresBefore } from './found.ts'

/*
 * Events, and what receivers got of them.
 */

/** Each thing that happened to a message is one event, and events of a message are told in their order. */
export function* eventsAreTold({ messages, events }: Found) {
  const byMessage = Map.groupBy(events, ({ messageSeq }) => messageSeq)
  for (const row of messages.values()) {
    const own = byMessage.get(row.seq) ?? []
    const count = (type: string) => own.filter(event => event.type === `message.${type}`).length
    const expected: readonly (readonly [string, boolean])[] = [
      ['sent', row.acceptedAt !== null || row.reportedSentAt !== null],
      ['delivered', row.deliveredAt !== null],
      ['read', row.readAt !== null],
      ['released', row.releasedAt !== null],
      ['cancelled', row.cancelledAt !== null],
    ]
    for (const [type, is] of expected)
      if (count(type) !== (is ? 1 : 0)) yield `${row.id} is ${row.status}, and ${type} is told ${count(type)} times`
    if (row.status === 'FAILED' && count('failed') === 0) yield `${row.id} is FAILED, and nobody is told`
    if (row.status === 'UNKNOWN' && count('unknown') === 0) yield `${row.id} is UNKNOWN, and nobody is told`
    const numbers = own.map(({ sequence }) => sequence)
    if (numbers.some((number, at) => at > 0 && (numbers[at - 1] ?? 0) >= (number ?? 0)))
      yield `${row.id}: its events have the numbers ${numbers.join(', ')}`
    if (own.some(({ workspaceId }) => workspaceId !== row.workspaceId)) yield `${row.id}: its events are elsewhere`
  }
  const seqs = new Set([...messages.values()].map(({ seq }) => seq))
  for (const { messageSeq, type } of events)
    if (messageSeq !== null && !seqs.has(messageSeq)) yield `${type} is told of no message`
}

/** As in `src/webhooks/queue.ts`: so long an event of a message waits for an earlier one that failed. */
const orderedMs = 60_000

interface Body {
  readonly type: string
  readonly timestamp: string
  readonly sequence: number
  readonly data?: { readonly message?: { readonly id?: string } }
}

/** When an event was tried first, and when it arrived. */
interface Trip {
  readonly messageId: string
  readonly sequence: number
  readonly first: number
  arrivedAt: number
}

/** An endpoint gets each event of its workspace, none of another, and no two by one id. */
export function* delivered({ log, events, messages, history, rows }: Found) {
  const workspaceOf = new Map([...messages.values()].map(({ id, workspaceId }) => [id, workspaceId]))
  for (const [at, { workspaceId, webhookId }] of tenants.entries()) {
    if (!history.receivers[at]) continue
    const own = log.delivered.filter(({ url }) => url.endsWith(`/${at}`))
    const arrived = new Set(own.filter(({ hasWorked }) => hasWorked).map(({ id }) => id))
    const pending = new Set(
      rows<{ seq: number }>(
        "SELECT seq FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'pending'",
        webhookId,
      ).map(({ seq }) => seq),
    )
    for (const event of events)
      if (
        event.workspaceId === workspaceId &&
        // It is the only one of its workspace, and not told that it was switched off itself.
        event.type !== 'webhook.disabled' &&
        !pending.has(event.seq) &&
        !arrived.has(numberedId('evt', workspaceId, event.seq))
      )
        yield `the endpoint of ${workspaceId} never got ${event.type} with the number ${event.seq}`
    const known = new Map<string, string>()
    for (const { id, body } of own) {
      const { type, timestamp, data } = JSON.parse(body) as Body
      const messageId = data?.message?.id
      const of = messageId === undefined ? undefined : workspaceOf.get(messageId)
      if (of !== undefined && of !== workspaceId) yield `${messageId} was delivered to ${workspaceId}`
      const about = `${type} ${timestamp} ${messageId}`
      const before = known.get(id) ?? about
      if (before !== about) yield `${id} is ${before}, and ${about} too`
      known.set(id, about)
    }
  }
}

/** What is recorded of a delivery waits so long for others. */
const recordMs = 1_000

/** Whether what arrived at a time may have been recorded only after another one, as nothing could be stored between. */
const mayBeUnrecorded = ({ acts }: Found['history'], arrivedAt: number, at: number): boolean =>
  acts.some(
    ({ atMs, act }) =>
      (act.kind === 'busy' || act.kind === 'fullDisk') && atMs <= at && atMs + act.forMs + recordMs >= arrivedAt,
  )

/** A replay makes each event due once more that had arrived by then, and was recorded. */
export function* replayed({ log, events, rows, history }: Found) {
  for (const { tenant, askedAt } of log.replayed) {
    const { workspaceId, webhookId } = tenants[tenant]
    // A restore knows nothing of a replay since the backup.
    if (log.restores.some(({ at }) => at >= askedAt)) continue
    const own = log.delivered.filter(({ url, hasWorked }) => hasWorked && url.endsWith(`/${tenant}`))
    const pending = rows<{ seq: number }>(
      "SELECT seq FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'pending'",
      webhookId,
    )
    const waiting = new Set(pending.map(({ seq }) => numberedId('evt', workspaceId, seq)))
    const kept = new Set(events.map(event => numberedId('evt', event.workspaceId, event.seq)))
    const isKnown = ({ answeredAt }: (typeof own)[number]) =>
      answeredAt < askedAt - recordMs && !mayBeUnrecorded(history, answeredAt, askedAt)
    const before = new Set(own.filter(isKnown).map(({ id }) => id))
    const after = new Set(own.filter(({ at }) => at >= askedAt).map(({ id }) => id))
    for (const id of before)
      if (kept.has(id) && !after.has(id) && !waiting.has(id)) yield `${id} was to be delivered again, and was not`
  }
}

/** Events of a message are delivered in their order, whatever becomes of one. */
export function* inOrder(found: Found) {
  const { log, history } = found
  if (history.acts.some(({ act }) => act.kind === 'time')) return
  // What a restore has made known again is told again.
  const runs = Map.groupBy(log.delivered, ({ url, at }) => `${url} ${restoresBefore(found, at)}`)
  for (const run of runs.values()) {
    const trips = new Map<string, Trip>()
    for (const { id, body, at: when, hasWorked } of run) {
      const { data, sequence } = JSON.parse(body) as Body
      const messageId = data?.message?.id
      if (messageId === undefined) continue
      const trip = trips.get(id) ?? { messageId, sequence, first: when, arrivedAt: Number.POSITIVE_INFINITY }
      trips.set(id, trip)
      if (!hasWorked || trip.arrivedAt < Number.POSITIVE_INFINITY) continue
      trip.arrivedAt = when
      const others = [...trips.values()].filter(other => other.messageId === messageId)
      const before = others.find(
        other => other.sequence < sequence && other.arrivedAt > when && when < other.first + orderedMs,
      )
      if (before) yield `${messageId}: event ${sequence} was delivered before ${before.sequence}`
      // What was not even tried yet.
      const later = others.find(other => other.sequence > sequence && other.arrivedAt < when && trip.first === when)
      if (later) yield `${messageId}: event ${sequence} was tried after ${later.sequence} had been delivered`
    }
  }
}

/** So long after a change of it an endpoint is looked at again, and what is under way then has left. */
const lookedMs = 1_500

/** An endpoint is off only once it asked for that, or its workspace did; off, it gets nothing; in the end it is on. */
export function* offMeansOff({ log, events, history, rows }: Found) {
  for (const [at, { workspaceId, webhookId }] of tenants.entries()) {
    if (!history.receivers[at]) continue
    const own = log.delivered.filter(({ url }) => url.endsWith(`/${at}`))
    const gone = own.filter(({ status }) => status === 410)
    const disabled = events.filter(event => event.workspaceId === workspaceId && event.type === 'webhook.disabled')
    if (disabled.length > gone.length)
      yield `${workspaceId}: ${disabled.length} times switched off, and ${gone.length} times asked for it`
    const switched = log.switched.filter(({ tenant }) => tenant === at)
    const isUndisturbed = log.crashes + log.stops + log.restores.length === 0 && !hasSwitches(history, at)
    if (isUndisturbed && gone.length > 0 && disabled.length === 0)
      yield `${workspaceId}: asked for no more events, and was not switched off`
    for (const [nth, { at: from, isOn }] of switched.entries()) {
      const until = switched[nth + 1]?.at ?? 0
      const late = own.find(attempt => !isOn && attempt.at > from + lookedMs && attempt.at < until - lookedMs)
      if (late && log.restores.length === 0) yield `${workspaceId}: its endpoint was off, and got ${late.id}`
    }
    const [webhook] = rows<{ reason: string | null }>(
      'SELECT disabled_reason AS reason FROM webhook_endpoints WHERE id = ? AND disabled_at IS NOT NULL',
      webhookId,
    )
    if (webhook) yield `${workspaceId}: its endpoint is off in the end: ${webhook.reason}`
  }
}

const hasSwitches = ({ acts }: Found['history'], tenant: number): boolean =>
  acts.some(({ act }) => act.kind === 'switch' && act.tenant === tenant)
