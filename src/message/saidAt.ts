import type { EpochMs } from '../base/clock.ts'
import { isCancelled, isScheduled, type MessageStatus } from './statuses.ts'

/*
 * When what was said in a conversation stands there, by the clock of here: whatever shows both sides goes by this.
 */

/** A message that was to wait for its time is said then. One that still waits, or was taken back, was only written. */
export const sentAt = (message: {
  readonly createdAt: EpochMs
  readonly dueAt: EpochMs | null
  readonly status: MessageStatus
}): EpochMs => (isScheduled(message.status) || isCancelled(message.status) ? null : message.dueAt) ?? message.createdAt

/**
 * The upstream's times are whole seconds, so something may have been said at any moment of one: it is taken for the
 * last one, but never for one at which it was here already. So what came late stands where it was said, what a person
 * writes within the second of a message stands behind it, and no answer of ours before what it answers.
 */
export const heardAt = ({ at, recordedAt }: { readonly at: EpochMs; readonly recordedAt: EpochMs }): EpochMs =>
  Math.min(Math.floor(at / 1_000) * 1_000 + 999, recordedAt)
