import type { EpochMs } from '../base/clock.ts'
import { brokenPromise, type PromiseName } from '../telemetry/promises.ts'
import { countsOf } from './counts.ts'
import { apply, type MessageEvent, type MessageRecord, statusOf } from './state.ts'
import { hasFailed, isDelivered, isOpen, type MessageStatus, mayLeave } from './statuses.ts'
import { type Told, toldOf } from './told.ts'

/** What an event changes: the message, and what is stored with it. Both engines store the same. */
export interface Move {
  readonly record: MessageRecord
  readonly status: MessageStatus
  /** What to subtract from and add to the counts of its day: it counts by its new state, no longer by its old one. */
  readonly uncounted: readonly string[]
  readonly counted: readonly string[]
  /** Its entry on the timeline; null: it is not kept there. */
  readonly entry: { readonly kind: string; readonly at: EpochMs } | null
  /** The events that callers are told of. */
  readonly told: readonly Told[]
  /** It has just become settled or unknown, and is never sent again. */
  readonly isOver: boolean
  /**
   * Set when nothing was sent: the caller's idempotency key is free for a retry, and the month's count is reduced
   * again.
   */
  readonly undoneAt: EpochMs | null
}

type Before = MessageRecord & { readonly status: MessageStatus; readonly recipient?: string }

/**
 * @returns what follows from an event of a message as it is stored
 * @throws BrokenPromise when it is not what its record says, or would leave its end
 */
export function storedMove(before: Before & { readonly id: string }, event: MessageEvent): Move {
  const move = moveOf(before, event)
  const broken = brokenBy(before, move.status, event.kind)
  if (!broken) return move
  throw brokenPromise(broken, { messageId: before.id, from: before.status, to: move.status, event: event.kind })
}

function brokenBy(before: Before, to: MessageStatus, kind: MessageEvent['kind']): PromiseName | null {
  const { status: from, dispatchedAt } = before
  if (statusOf(before) !== from) return 'statusOfRecord'
  if ((isOpen(to) && !isOpen(from)) || (isDelivered(from) && !isDelivered(to))) return 'endsStay'
  const isAnswer = kind === 'accepted' || kind === 'refused'
  return isAnswer && dispatchedAt === null && mayLeave(from) ? 'answerOfAttempt' : null
}

/** @returns what follows from an event, by the one state machine */
export function moveOf(before: Before, event: MessageEvent): Move {
  const record = apply(before, event)
  const status = statusOf(record)
  const [left, come] = [countsOf(before), countsOf(record)]
  return {
    record,
    status,
    uncounted: left.filter(kind => !come.includes(kind)),
    counted: come.filter(kind => !left.includes(kind)),
    entry: mayComeTooLate(event) && record === before ? null : entryOf(event),
    told: toldOf(before, record, status, 'at' in event ? event.at : before.createdAt),
    isOver: isOpen(before.status) && !isOpen(status),
    undoneAt: mayUndo(event) && before.gaveUpAt !== record.gaveUpAt && hasFailed(status) ? event.at : null,
  }
}

/** Whether nothing was sent, if the event decides on the message. */
export const mayUndo = (event: MessageEvent): event is Extract<MessageEvent, { kind: 'refused' | 'expired' }> =>
  event.kind === 'refused' || event.kind === 'expired'

/** What expired here, or was to be released or cancelled, another process may have sent: then it has not happened. */
const mayComeTooLate = ({ kind }: MessageEvent) =>
  ['expired', 'rescheduled', 'released', 'heldBack', 'cancelled'].includes(kind)

function entryOf(event: MessageEvent): Move['entry'] {
  if (event.kind === 'deferred' || event.kind === 'namedByUs') return null
  return { kind: event.kind === 'reported' ? event.status : event.kind, at: event.at }
}
