import type { MessageStatusView } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { type Clock, wait } from '../base/clock.ts'
import type { UpstreamFault } from '../graph/answer.ts'
import { hasFailed, mayLeave } from '../message/statuses.ts'
import { keptFault } from './answerEvent.ts'
import type { Outbox } from './outbox.ts'
import type { Settled } from './outboxMessage.ts'

/**
 * A message that another process sends is polled: the first time after this wait, which then doubles up to the maximum.
 * Most sends take a moment, and a long wait must not cost much.
 */
const firstLookMs = 100
const lookMsMax = 500

export interface AwaitedEndParts {
  readonly store: Pick<Store, 'read'>
  readonly outbox: Pick<Outbox, 'find' | 'isStopping'>
  readonly clock: Clock
  readonly sendWaitMs: number
}

/** What a caller gets to know of its message. */
export interface AwaitedEnd {
  /** As it is on disk. It is QUEUED when it has no end after `sendWaitMs`, or at a stop. */
  readonly message: MessageStatusView
  /** Why the upstream refused it; null when it did not, or when a callback has shown that it was sent. */
  readonly fault: UpstreamFault | null
}

/**
 * Waits for the end of a message: in this process, or by looking at the disk while another process has it.
 * @param found as `Outbox.find` has it
 */
export async function awaitEnd(
  parts: AwaitedEndParts,
  messageId: string,
  found = parts.outbox.find(messageId),
): Promise<AwaitedEnd> {
  const { store, outbox, clock, sendWaitMs } = parts
  const until = clock.steady() + sendWaitMs
  let settling = found
  for (let lookMs = firstLookMs; ; lookMs = Math.min(lookMs * 2, lookMsMax)) {
    const end = settling ? await settledInTime(clock, settling, until - clock.steady()) : null
    if (end) return { message: end.message, fault: faultOf(end) }
    const message = await store.read.statusView(messageId)
    if (!message) throw new Error('an accepted message does not exist')
    if (!mayLeave(message.status)) return { message, fault: await storedFault(store, message) }
    const leftMs = until - clock.steady()
    if (outbox.isStopping || leftMs <= 0) return { message, fault: null }
    await wait(clock, Math.min(lookMs, leftMs))
    settling = outbox.find(messageId)
  }
}

/** @returns null when the message has no end in time, or leaves this process without one */
function settledInTime(clock: Clock, settling: Promise<Settled | null>, waitMs: number): Promise<Settled | null> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(waitMs, () => resolve(null))
    settling.then(cancelTimer, cancelTimer)
    settling.then(resolve, reject)
  })
}

// A lost answer is no refusal: the message exists, and its status says UNKNOWN.
const faultOf = ({ message, answer }: Settled): UpstreamFault | null =>
  answer.kind === 'refused' && hasFailed(message.status) ? answer.fault : null

/** The same, from what another process has stored. A message that a callback has shown to be sent was not refused. */
async function storedFault(
  { read }: Pick<Store, 'read'>,
  { id, status, reportedSentAt }: MessageStatusView,
): Promise<UpstreamFault | null> {
  if (!hasFailed(status) || reportedSentAt !== null) return null
  const refusal = (await read.timeline(id)).find(({ kind }) => kind === 'refused' || kind === 'expired')
  return refusal?.detail ? keptFault(refusal.detail) : null
}
