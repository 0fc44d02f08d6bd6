import { tenants } from '../tenants.ts'
import type { Found } from './found.ts'

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

/** An endpoint gets each event of its workspace, and none of another; those of a message in their order. */
export function* delivered({ log, events, messages, history, rows }: Found) {
  const workspaceOf = new Map([...messages.values()].map(({ id, workspaceId }) => [id, workspaceId]))
  const isTimeSet = history.acts.some(({ act }) => act.kind === 'time')
  for (const [at, { workspaceId, webhookId }] of tenants.entries()) {
    if (!history.receivers[at]) continue
    const own = log.delivered.filter(({ url }) => url.endsWith(`/${at}`))
    const arrived = new Set(own.filter(({ hasWorked }) => hasWorked).map(({ id }) => id))
    const told = events.filter(event => event.workspaceId === workspaceId)
    const pending = rows<object>(
      "SELECT seq FROM webhook_deliveries WHERE endpoint_id = ? AND state = 'pending'",
      webhookId,
    )
    if (arrived.size + pending.length < told.length)
      yield `the endpoint of ${workspaceId} got ${arrived.size} of ${told.length} events, and ${pending.length} wait`
    const byMessage = new Map<string, { first: number; sequence: number; arrivedAt: number }[]>()
    const known = new Map<string, { first: number; sequence: number; arrivedAt: number }>()
    for (const { id, body, at: when, hasWorked } of own) {
      const { data, sequence } = JSON.parse(body) as { data?: { message?: { id: string } }; sequence: number }
      const messageId = data?.message?.id
      if (messageId === undefined) continue
      if (workspaceOf.get(messageId) !== workspaceId) yield `${messageId} was delivered to ${workspaceId}`
      const event = known.get(id) ?? { first: when, sequence, arrivedAt: Number.POSITIVE_INFINITY }
      if (!known.has(id)) byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), event])
      known.set(id, event)
      if (!hasWorked) continue
      if (event.arrivedAt === Number.POSITIVE_INFINITY && !isTimeSet) {
        const others = byMessage.get(messageId) ?? []
        const before = others.find(
          other => other.sequence < sequence && other.arrivedAt > when && when < other.first + orderedMs,
        )
        if (before) yield `${messageId}: event ${sequence} was delivered before ${before.sequence}`
        // What was not even tried yet.
        const later = others.find(other => other.sequence > sequence && other.arrivedAt < when && event.first === when)
        if (later) yield `${messageId}: event ${sequence} was tried after ${later.sequence} had been delivered`
      }
      event.arrivedAt = Math.min(event.arrivedAt, when)
    }
  }
}
