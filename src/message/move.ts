import type { EpochMs } from '../time/clock.ts'
import { countsOf } from './counts.ts'
import { apply, type MessageEvent, type MessageRecord, type MessageStatus, statusOf } from './state.ts'

/** What an event changes: the message, and what is kept beside it. Every database stores the same of it. */
export interface Move {
  readonly record: MessageRecord
  readonly status: MessageStatus
  /** What the numbers of its day lose and gain: it counts as what it is now, and no longer as what it was. */
  readonly uncounted: readonly string[]
  readonly counted: readonly string[]
  /** Its entry on the timeline; null: it is not kept there. */
  readonly entry: { readonly kind: string; readonly at: EpochMs } | null
  /** It is settled or unknown from now on, and is never sent again. */
  readonly isOver: boolean
  /** Set when nothing was sent: the key of the caller is free for a retry, and the month's count is given back. */
  readonly undoneAt: EpochMs | null
}

/** @returns what follows from an event, by the one state machine */
export function moveOf(before: MessageRecord & { readonly status: MessageStatus }, event: MessageEvent): Move {
  const record = apply(before, event)
  const status = statusOf(record)
  const [left, come] = [countsOf(before), countsOf(record)]
  return {
    record,
    status,
    uncounted: left.filter(kind => !come.includes(kind)),
    counted: come.filter(kind => !left.includes(kind)),
    entry: entryOf(event),
    isOver: before.status === 'QUEUED' && status !== 'QUEUED',
    undoneAt: event.kind === 'refused' && before.gaveUpAt === null && status === 'FAILED' ? event.at : null,
  }
}

function entryOf(event: MessageEvent): Move['entry'] {
  if (event.kind === 'deferred') return null
  return { kind: event.kind === 'reported' ? event.status : event.kind, at: event.at }
}
