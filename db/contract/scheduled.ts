import type { EpochMs } from '../../src/base/clock.ts'
import type { Acceptance, Message, MessageDraft, MessageState, Resumable } from './records.ts'

/** A message that is to wait for its time, as it is offered. */
export interface ScheduledDraft
  extends Omit<MessageDraft, 'dispatchedAt' | 'opensFlow' | 'closesFlows' | 'generation'> {
  readonly dueAt: EpochMs
}

/** What a message becomes by its release: what was decided anew. */
export interface Release extends Pick<MessageDraft, 'payload' | 'opensFlow' | 'closesFlows'> {
  readonly messageId: string
  readonly at: EpochMs
  readonly to: Pick<Message, 'recipient' | 'contactId' | 'templateLanguage'>
}

export type Released =
  /** It waits for its turn, and this process owns it. */
  | { readonly outcome: 'released'; readonly message: Resumable }
  | { readonly outcome: 'planExhausted'; readonly limit: number; readonly used: number }
  /** The key that scheduled it was revoked: nothing was changed. */
  | { readonly outcome: 'keyRevoked' }
  /** It does not wait for its time any more: it was released or cancelled meanwhile, or moved to another time. */
  | { readonly outcome: 'gone' }

export interface ScheduledReads {
  /** The lines on which messages are due. */
  dueLines(query: { at: EpochMs }): Promise<{ readonly lineId: string; readonly workspaceId: string }[]>
  /** Those of a line that are due, in the order of their times. */
  dueMessages(query: { lineId: string; at: EpochMs; limit: number }): Promise<Resumable[]>
  /** How many of a workspace wait for a time before `before`, at most `max`. */
  scheduledCount(query: { workspaceId: string; before: EpochMs; max: number }): Promise<number>
}

export interface ScheduledWrites {
  /**
   * Stores a message that waits for its time, with its idempotency key, in one step. Its content is what the caller
   * asked for (src/sending/schedule.ts). It counts in no plan yet.
   */
  scheduleMessage(
    draft: ScheduledDraft,
  ): Promise<Extract<Acceptance, { outcome: ScheduleOutcome }> | Scheduled | KeyRevoked>
  /**
   * Releases a message whose time has come: it is stored as waiting, with the request as it is now, and counts in the
   * plan of this month. Of several that release it, or cancel it at the same moment, one does.
   */
  releaseMessage(release: Release): Promise<Released>
}

/** What people and callers ask for. */
export interface RescheduleWrites {
  /**
   * Moves a message to another time, and its idempotency key with it.
   * @param change.from the time that it has to have still; left out: it may have any
   * @returns the message as it is now; null: there is none, or none of that time
   */
  rescheduleMessage(change: {
    messageId: string
    from?: EpochMs
    dueAt: EpochMs
    keyExpiresAt: EpochMs
    at: EpochMs
  }): Promise<MessageState | null>
}

type ScheduleOutcome = 'replayed' | 'conflict' | 'lineRemoved'
interface Scheduled {
  readonly outcome: 'scheduled'
}
/** The key that asks for it was revoked meanwhile: nothing was changed. */
interface KeyRevoked {
  readonly outcome: 'keyRevoked'
}
