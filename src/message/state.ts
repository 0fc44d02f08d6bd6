import type { EpochMs } from '../clock.ts'
import { type Failures, failureOf, lastFailure, withFailure } from './failures.ts'

/**
 * The message state machine.
 *
 * A message is a set of facts, each learnt from one source and never unlearnt; its status is read off the facts by
 * precedence. That is what makes callbacks that come early, late, twice and in any order end in the same state: an
 * event only ever adds a fact, or moves its time to an earlier report of the same fact. Failures are kept by attempt,
 * because a message that the upstream refused for now is offered again under another of its ids: the failure of one
 * attempt says nothing about the one that was taken. For the same reason a failure counts only once the message has its
 * end: until then it may be that of an attempt which another one follows.
 *
 *   READ       readAt          the user opened it                                 beats everything
 *   DELIVERED  deliveredAt     it is on the phone; a failure no longer counts     -> READ
 *   FAILED     failures        the upstream's callback says that it failed        -> DELIVERED, READ, SENT
 *   SENT       reportedSentAt  the upstream's callback says that it went out      -> any of the above
 *   FAILED     gaveUpAt        refused at send time, or settled as failed by us   -> any of the above
 *   SENT       acceptedAt      the upstream's answer gave it an id                -> any but UNKNOWN and QUEUED
 *   UNKNOWN    lostAt          handed over, and the answer was lost; never resent -> any of the above
 *   QUEUED     none but        dispatchedAt null: waits for its turn, may be resumed; else waiting for the answer
 *              failures
 *
 * A refusal (gaveUpAt) stands below reportedSentAt because two upstream codes refuse without promising that nothing
 * was sent: should a callback show that the message went out after all, the callback wins.
 */
export type MessageStatus = 'QUEUED' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED' | 'UNKNOWN'

export interface MessageFacts {
  readonly createdAt: EpochMs
  /** When the sender was allowed to hand it over. Null: no byte of it has left, whatever happened to the process. */
  readonly dispatchedAt: EpochMs | null
  readonly acceptedAt: EpochMs | null
  readonly reportedSentAt: EpochMs | null
  readonly deliveredAt: EpochMs | null
  readonly readAt: EpochMs | null
  /** What the upstream's callbacks said of attempts that failed; null while none did. */
  readonly failures: Failures | null
  readonly gaveUpAt: EpochMs | null
  readonly gaveUpReason: string | null
  readonly lostAt: EpochMs | null
  /** The upstream's id of the message. */
  readonly channelMessageId: string | null
  /** The number as the upstream knows it; it need not equal the one we sent to. */
  readonly waId: string | null
}

/** What can happen to a message. `at` is the upstream's time for reports, ours for the rest. */
export type MessageEvent =
  /** Allowed to leave now; on disk before the first byte is written. */
  | { readonly kind: 'dispatched'; readonly at: EpochMs }
  /** Has to wait its turn after all; nothing of it has left. */
  | { readonly kind: 'deferred' }
  | { readonly kind: 'accepted'; readonly at: EpochMs; readonly channelMessageId: string; readonly waId: string | null }
  | { readonly kind: 'refused'; readonly at: EpochMs; readonly reason: string }
  | { readonly kind: 'lost'; readonly at: EpochMs }
  /** Nothing was heard for so long that nothing is expected any more. */
  | { readonly kind: 'abandoned'; readonly at: EpochMs; readonly reason: string }
  /** An operator settles a message whose outcome is unknown. */
  | { readonly kind: 'resolved'; readonly at: EpochMs; readonly as: 'SENT' | 'FAILED'; readonly reason: string }
  | ReportEvent

/** A status callback of the upstream. */
export interface ReportEvent {
  readonly kind: 'reported'
  readonly status: 'sent' | 'delivered' | 'read' | 'failed'
  readonly at: EpochMs
  readonly channelMessageId: string
  /** Only with `failed`. */
  readonly reason: string | null
}

/** @returns the status that the facts amount to; the order of the lines is the precedence in the table above. */
export function statusOf(facts: MessageFacts): MessageStatus {
  if (facts.readAt !== null) return 'READ'
  if (facts.deliveredAt !== null) return 'DELIVERED'
  if (hasNoEnd(facts)) return 'QUEUED'
  if (reportedFailure(facts)) return 'FAILED'
  if (facts.reportedSentAt !== null) return 'SENT'
  if (facts.gaveUpAt !== null) return 'FAILED'
  if (facts.acceptedAt !== null) return 'SENT'
  return 'UNKNOWN'
}

/** But for failures, which may be of attempts that another one followed. */
const hasNoEnd = ({ reportedSentAt, gaveUpAt, acceptedAt, lostAt }: MessageFacts) =>
  reportedSentAt === null && gaveUpAt === null && acceptedAt === null && lostAt === null

/** A failure counts for the attempt that names the message: the one that got through, and else the last that failed. */
const reportedFailure = ({ failures, channelMessageId }: MessageFacts) =>
  failures === null ? undefined : failureOf(failures, channelMessageId)

/** @returns why the message failed; null whenever its status is not FAILED. */
export function failureReasonOf(facts: MessageFacts): string | null {
  if (statusOf(facts) !== 'FAILED') return null
  const failure = reportedFailure(facts)
  return failure ? failure.reason : facts.gaveUpReason
}

/** @returns when the upstream took the message: by its own answer, else by its callback; null while neither is known. */
export function sentAtOf(facts: MessageFacts): EpochMs | null {
  return facts.acceptedAt ?? facts.reportedSentAt
}

export interface MessageTimes {
  readonly sentAt: EpochMs | null
  readonly deliveredAt: EpochMs | null
  readonly readAt: EpochMs | null
}

/**
 * @returns the times that are shown. What was delivered or read was sent before: the upstream's clock has whole seconds,
 * and what it dates into the second of the send is shown at the time of the send (docs/partner-api.md#states).
 */
export function timesOf(facts: MessageFacts): MessageTimes {
  const sentAt = sentAtOf(facts)
  const notBefore = (at: EpochMs | null) => (at === null || sentAt === null ? at : Math.max(at, sentAt))
  return { sentAt, deliveredAt: notBefore(facts.deliveredAt), readAt: notBefore(facts.readAt) }
}

/** Applies one event. Nothing else changes a message. Applying an event again changes nothing. */
export function apply(facts: MessageFacts, event: MessageEvent): MessageFacts {
  switch (event.kind) {
    case 'dispatched':
      return { ...facts, dispatchedAt: earliest(facts.dispatchedAt, event.at) }
    case 'deferred':
      // Whatever named it was an attempt that failed, and another one follows.
      return statusOf(facts) === 'QUEUED' ? { ...facts, dispatchedAt: null, channelMessageId: null } : facts
    case 'accepted':
      return {
        ...facts,
        acceptedAt: earliest(facts.acceptedAt, event.at),
        channelMessageId: event.channelMessageId,
        waId: event.waId ?? facts.waId,
      }
    case 'refused':
      return giveUp(facts, event.at, event.reason)
    case 'lost':
      return { ...facts, lostAt: earliest(facts.lostAt, event.at) }
    case 'abandoned':
      return statusOf(facts) === 'UNKNOWN' ? giveUp(facts, event.at, event.reason) : facts
    case 'resolved':
      if (statusOf(facts) !== 'UNKNOWN') return facts
      return event.as === 'SENT' ? { ...facts, acceptedAt: event.at } : giveUp(facts, event.at, event.reason)
    case 'reported': {
      const reported = report(facts, event)
      return { ...reported, channelMessageId: idAfter(facts, reported, event) }
    }
  }
}

function report(facts: MessageFacts, { status, at, channelMessageId: id, reason }: ReportEvent): MessageFacts {
  switch (status) {
    case 'sent':
      return { ...facts, reportedSentAt: earliest(facts.reportedSentAt, at) }
    case 'delivered':
      return { ...facts, deliveredAt: earliest(facts.deliveredAt, at) }
    case 'read':
      return { ...facts, readAt: earliest(facts.readAt, at) }
    case 'failed':
      return { ...facts, failures: withFailure(facts.failures, { id, at, reason }) }
  }
}

/**
 * An answer's id stays. Before it, the attempt that got through names the message, and else the one that failed last; while
 * it waits for another attempt, none.
 */
function idAfter(before: MessageFacts, { failures }: MessageFacts, event: ReportEvent): string | null {
  const { acceptedAt, reportedSentAt, deliveredAt, readAt, channelMessageId } = before
  const gotThrough = [acceptedAt, reportedSentAt, deliveredAt, readAt].some(at => at !== null)
  if (gotThrough && channelMessageId !== null) return channelMessageId
  if (event.status !== 'failed') return event.channelMessageId
  // Told again: it may be long since another attempt has followed.
  if (failures === before.failures) return channelMessageId
  const isWaiting = before.dispatchedAt === null && statusOf(before) === 'QUEUED'
  return isWaiting ? channelMessageId : (lastFailure(failures)?.id ?? event.channelMessageId)
}

function giveUp(facts: MessageFacts, at: EpochMs, reason: string): MessageFacts {
  return facts.gaveUpAt === null ? { ...facts, gaveUpAt: at, gaveUpReason: reason } : facts
}

const earliest = (known: EpochMs | null, reported: EpochMs) => (known === null ? reported : Math.min(known, reported))
