import { digestOf } from '../../../src/message/forgotten.ts'
import type { Log } from '../log.ts'
import { tenants } from '../tenants.ts'
import { type Found, mayBeLost, mayForgetKeys } from './found.ts'

/*
 * What the platform has seen, against what is stored and told.
 */

/**
 * What the platform may have taken is never offered again, as this message or as another of the same key. Of what waits
 * for its time, a restore does not know that it was moved, and sent, since the backup (docs/operate.md#restore).
 */
export function* neverTwice(found: Found) {
  const open = new Map<string, string>()
  const isByKey = !mayForgetKeys(found)
  const { acts } = found.history
  const isMoved = acts.some(({ act }) => act.kind === 'move' || act.kind === 'time')
  for (const { messageId, text, wamid } of found.log.platform.offers) {
    const isScheduled = found.messages.get(messageId)?.dueAt != null
    if (isScheduled && isMoved && found.log.restores.length > 0) continue
    for (const of of isByKey ? [messageId, text] : [messageId]) {
      const before = open.get(of)
      if (before !== undefined) yield `${text}: offered again as ${messageId}, after ${before} as may have been taken`
    }
    // A definite refusal was heard, or will be: what may follow it is looked at when the next one comes.
    if (wamid === 'maybe') {
      open.set(messageId, messageId)
      open.set(text, messageId)
    }
  }
}

/** What was handed over leaves within a second, and is under way for a moment. */
const handOverMs = 1_200

/** Once a report that it went out is acknowledged, a message never leaves again. */
export function* reportedStays({ log }: Found) {
  const at = new Map<string, number>()
  for (const { messageId, status, isNamed, acknowledgedAt } of log.acknowledged)
    if (isNamed && status !== 'failed') at.set(messageId, Math.min(at.get(messageId) ?? acknowledgedAt, acknowledgedAt))
  for (const { messageId, at: leftAt } of log.platform.offers)
    if (leftAt > (at.get(messageId) ?? Number.POSITIVE_INFINITY) + handOverMs)
      yield `${messageId} left again, after a report that it had been sent was taken`
}

/** What is scheduled is released at its time, and not before. */
export function* inItsTime({ messages }: Found) {
  for (const { id, dueAt, releasedAt } of messages.values())
    if (dueAt !== null && releasedAt !== null && releasedAt < dueAt)
      yield `${id} was released ${dueAt - releasedAt} ms before its time`
}

/** How a message ends follows from what the platform did and told. */
export function* endsAsThePlatformSaw(found: Found) {
  const { messages, log } = found
  const arrivals = Map.groupBy(log.platform.arrivals, ({ messageId }) => messageId)
  const offers = Map.groupBy(log.platform.offers, ({ messageId }) => messageId)
  const reports = Map.groupBy(log.acknowledged, ({ messageId }) => messageId)
  const isForgotten = (messageId: string) => offers.get(messageId)?.some(({ at }) => mayBeLost(found, at)) === true
  for (const messageId of arrivals.keys())
    if (!messages.has(messageId) && !isForgotten(messageId))
      yield `${messageId} reached the platform, and is not stored`
  for (const row of messages.values()) {
    const of = arrivals.get(row.id) ?? []
    // Without our id, it is a report of who has the id of that attempt.
    const heard = (reports.get(row.id) ?? []).filter(
      ({ isNamed, wamid }) => isNamed || isOf(wamid, row.channelMessageId),
    )
    const isTaken = of.some(({ wamid }) => wamid !== null)
    const saysOf = (reports: typeof heard) => (status: string) => reports.some(report => report.status === status)
    const isSaid = saysOf(heard)
    const hears = saysOf(heard.filter(({ acknowledgedAt }) => !mayBeLost(found, acknowledgedAt)))
    if (['SENT', 'DELIVERED', 'READ'].includes(row.status) && !isTaken)
      yield `${row.id} is ${row.status}, and the platform did not take it`
    if (hears('read') && row.status !== 'READ') yield `${row.id} was reported read, and is ${row.status}`
    if (hears('delivered') && !['DELIVERED', 'READ'].includes(row.status))
      yield `${row.id} was reported delivered, and is ${row.status}`
    if (hears('sent') && ['UNKNOWN', 'QUEUED'].includes(row.status))
      yield `${row.id} was reported sent, and is ${row.status}`
    // The failure of one attempt says nothing of the next.
    if (offers.get(row.id)?.length === 1 && hears('failed') && ['UNKNOWN', 'QUEUED', 'SENT'].includes(row.status))
      yield `${row.id} was reported failed, and is ${row.status}`
    if (row.status === 'READ' && !isSaid('read')) yield `${row.id} is READ, and nobody reported it`
    if (row.status === 'DELIVERED' && !isSaid('delivered')) yield `${row.id} is DELIVERED, and nobody reported it`
    if (row.status === 'UNKNOWN' && log.crashes + log.senderDeaths + log.stops === 0 && !isAmbiguous(log, row.id))
      yield `${row.id} is UNKNOWN, though every answer came`
    // One that was declined and taken all the same waits for its next attempt when its report comes.
    const isAccepted = of.some(({ wamid, isDeclined }) => wamid !== null && !isDeclined)
    if (isAccepted && row.dispatchedAt === null && !isForgotten(row.id))
      yield `${row.id} was taken, and is not stored as handed over`
  }
}

/** Of a message whose person was erased, a digest is kept. */
const isOf = (wamid: string, kept: string | null) => kept === wamid || kept === digestOf(wamid)

const isAmbiguous = ({ platform }: Log, id: string) => platform.ambiguous.has(id)

/** What is told as cancelled never leaves. */
export function* cancelledNeverLeaves({ log, messages }: Found) {
  for (const { messageId } of log.cancelled) {
    if (log.platform.offers.some(offer => offer.messageId === messageId)) yield `${messageId} was cancelled, and left`
    if (messages.get(messageId)?.status !== 'CANCELLED')
      yield `${messageId} was told as cancelled, and is ${messages.get(messageId)?.status}`
  }
}

/** Each message leaves by its own line, with its own token, to whom it is for. */
export function* ownOnly({ log, messages }: Found) {
  for (const { messageId, phoneId, token, text } of log.platform.offers) {
    const row = messages.get(messageId)
    const names = tenants.find(one => one.phoneId === phoneId)
    if (!row || !names) continue
    if (names.workspaceId !== row.workspaceId) yield `${messageId} left by a line of another workspace`
    if (token !== `Bearer ${names.token}`) yield `${messageId} left with another token`
    if (row.text !== '' && row.text !== text) yield `${messageId} left as ${text}, and is ${row.text}`
  }
}

/** The pace is kept over each second; the clock of a line and the way to it differ by so much. */
const paceSlackMs = 30

/** A line sends no more in a second than it may, also across a restart. */
export function* pace({ log, history }: Found) {
  // Across a restart the time counts as it is: what was sent a moment before it was set forward is long ago.
  // And what was put back, and settled by a report that it went out all the same, is not known as handed over.
  const isForgotten = log.platform.arrivals.some(({ wamid, isDeclined }) => wamid !== null && isDeclined)
  const isTimeSet = history.acts.some(({ act }) => act.kind === 'time')
  if (log.crashes + log.stops > 0 && (isTimeSet || isForgotten || log.restores.length > 0)) return
  for (const [at, { phoneId, workspaceId }] of tenants.entries()) {
    const perSecond = history.lines[at]?.perSecond ?? 0
    if (perSecond === 0) continue
    const times = log.platform.offers.filter(offer => offer.phoneId === phoneId).map(({ at }) => at)
    for (let from = 0; from + perSecond < times.length; from += 1) {
      const ms = (times[from + perSecond] ?? 0) - (times[from] ?? 0)
      if (ms < 1_000 - paceSlackMs)
        yield `${workspaceId}: ${perSecond + 1} within ${Math.round(ms)} ms on a line of ${perSecond} a second`
    }
  }
}
