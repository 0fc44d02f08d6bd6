import type { Clock, EpochMs } from '../clock.ts'
import type { InFlightMessage } from './inFlight.ts'
import type { Wait } from './lineQueue.ts'

/** What a line has to send at this moment. */
export interface LineBacklog {
  readonly lineId: string
  readonly waiting: number
  readonly inFlight: number
  /** When the oldest of these messages was accepted; null when there is none. */
  readonly oldestAt: EpochMs | null
}

/** Why a message has no end yet: it waits, or it was handed over and its `answer` is not here. */
export interface OpenMessage {
  readonly scope: Wait['scope'] | 'answer'
  /** When it may leave at the earliest; null when it has left. */
  readonly until: EpochMs | null
}

export function openMessage(message: InFlightMessage, clock: Clock): OpenMessage {
  if (message.step === 'handedOver' || message.step === 'settling') return { scope: 'answer', until: null }
  const { scope, until } = message.queue.waitOf(message)
  return { scope, until: clock.now() + until - clock.steady() }
}

/** @returns the backlogs of these lines */
export function backlogsOf(lineIds: Iterable<string>, messages: Iterable<InFlightMessage>): LineBacklog[] {
  const backlogs = new Map<string, { waiting: number; inFlight: number; oldestAt: EpochMs | null }>()
  for (const lineId of lineIds) backlogs.set(lineId, { waiting: 0, inFlight: 0, oldestAt: null })
  for (const { lineId, step, createdAt } of messages) {
    const backlog = backlogs.get(lineId)
    if (!backlog) continue
    if (step === 'handedOver' || step === 'settling') backlog.inFlight += 1
    else backlog.waiting += 1
    backlog.oldestAt = Math.min(backlog.oldestAt ?? createdAt, createdAt)
  }
  return [...backlogs].map(([lineId, backlog]) => ({ lineId, ...backlog }))
}
