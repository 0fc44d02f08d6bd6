import type { EpochMs } from '../base/clock.ts'
import { type Failures, failureOf, lastFailure, withFailure } from './failures.ts'
import { withPricing } from './pricing.ts'
import { hasFailed, isOpen, isScheduled, isUncertain, type MessageStatus, mayLeave } from './statuses.ts'

/**
 * The message state machine.
 *
 * The record of a message says what has happened and when. An event only adds to it, or replaces a time by an earlier
 * report of the same. The status is computed from the record by precedence. So callbacks that come early, late, twice
 * or in any order end in the same state. Failures are kept by attempt: a message that the upstream refused only for now
 * is sent again and gets another id, and the failure of one attempt says nothing about the next. So a failure counts
 * only once the message is settled: until then, another attempt may follow.
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
 *   CANCELLED  cancelledAt     it was to wait for its time, and was taken back before
 *   SCHEDULED  dueAt           waits for its time, until releasedAt                 -> QUEUED, CANCELLED, FAILED
 *
 * A refusal (gaveUpAt) is below reportedSentAt because two upstream codes refuse without promising that nothing was
 * sent. If a callback shows that the message was sent, the callback wins.
 *
 * What follows from a status elsewhere: statuses.ts.
 */
export interface MessageRecord {
  readonly createdAt: EpochMs
  /** When the message was handed over. Null: no byte of it has left, even if the process crashed. */
  readonly dispatchedAt: EpochMs | null
  readonly acceptedAt: EpochMs | null
  readonly reportedSentAt: EpochMs | null
  readonly deliveredAt: EpochMs | null
  readonly readAt: EpochMs | null
  /** The failures that callbacks reported, by attempt; null when there are none. */
  readonly failures: Failures | null
  readonly gaveUpAt: EpochMs | null
  readonly gaveUpReason: string | null
  readonly lostAt: EpochMs | null
  /** The upstream's id of the message. */
  readonly channelMessageId: string | null
  /** The number as the upstream knows it; it need not equal the one we sent to. */
  readonly waId: string | null
  /** What the upstream says that it costs, as src/message/pricing.ts has it; null while it has said nothing. */
  readonly pricing: number | null
  /** When its client was given an id of ours, by which it knows the message for good; null: it was not. */
  readonly ownIdAt: EpochMs | null
  /** When it is to leave, as its caller asked; null: at once. */
  readonly dueAt: EpochMs | null
  /** When it began to wait for its turn, its time having come. */
  readonly releasedAt: EpochMs | null
  readonly cancelledAt: EpochMs | null
}

/** Null at acceptance: events set these fields. */
export const eventless = {
  acceptedAt: null,
  reportedSentAt: null,
  deliveredAt: null,
  readAt: null,
  failures: null,
  gaveUpAt: null,
  gaveUpReason: null,
  lostAt: null,
  channelMessageId: null,
  waId: null,
  pricing: null,
  ownIdAt: null,
  dueAt: null,
  releasedAt: null,
  cancelledAt: null,
} as const satisfies Omit<MessageRecord, 'createdAt' | 'dispatchedAt'>

/** What can happen to a message. `at` is the upstream's time for reports, ours for the rest. */
export type MessageEvent =
  /** Allowed to leave now; on disk before the first byte is written. */
  | { readonly kind: 'dispatched'; readonly at: EpochMs }
  /** It has to wait again; nothing of it has left. */
  | { readonly kind: 'deferred' }
  | { readonly kind: 'accepted'; readonly at: EpochMs; readonly channelMessageId: string; readonly waId: string | null }
  | { readonly kind: 'refused'; readonly at: EpochMs; readonly reason: string }
  /** It has waited for so long that it must not be sent any more. What was handed over meanwhile stays as it is. */
  | { readonly kind: 'expired'; readonly at: EpochMs; readonly reason: string }
  | { readonly kind: 'lost'; readonly at: EpochMs }
  /** No callback has come for so long that none is expected any more. */
  | { readonly kind: 'abandoned'; readonly at: EpochMs; readonly reason: string }
  /** An operator settles a message whose outcome is unknown. */
  | { readonly kind: 'resolved'; readonly at: EpochMs; readonly as: 'SENT' | 'FAILED'; readonly reason: string }
  /** Its time is another one. */
  | { readonly kind: 'rescheduled'; readonly at: EpochMs; readonly dueAt: EpochMs }
  /** Its time has come: from now on it waits for its turn, as one that is sent at once. */
  | { readonly kind: 'released'; readonly at: EpochMs }
  /** Its time has come, and something forbids it by now. */
  | { readonly kind: 'heldBack'; readonly at: EpochMs; readonly reason: string }
  | { readonly kind: 'cancelled'; readonly at: EpochMs }
  /** Its client is answered before the upstream's id is known (docs/drop-in.md#sending). */
  | { readonly kind: 'namedByUs'; readonly at: EpochMs }
  | ReportEvent

/** A status callback of the upstream. */
export interface ReportEvent {
  readonly kind: 'reported'
  readonly status: 'sent' | 'delivered' | 'read' | 'failed'
  readonly at: EpochMs
  readonly channelMessageId: string
  /** Only with `failed`. */
  readonly reason: string | null
  /** As `readPricing` (pricing.ts) gives it; null with `failed`. */
  readonly pricing: number | null
}

/** @returns the status of a record; the order of the lines is the precedence in the table above. */
export function statusOf(record: MessageRecord): MessageStatus {
  if (record.readAt !== null) return 'READ'
  if (record.deliveredAt !== null) return 'DELIVERED'
  if (hasNoEnd(record)) return beforeItsEnd(record)
  if (reportedFailure(record)) return 'FAILED'
  if (record.reportedSentAt !== null) return 'SENT'
  if (record.gaveUpAt !== null) return 'FAILED'
  if (record.acceptedAt !== null) return 'SENT'
  return 'UNKNOWN'
}

function beforeItsEnd({ dueAt, releasedAt, cancelledAt }: MessageRecord): MessageStatus {
  if (dueAt === null || releasedAt !== null) return 'QUEUED'
  return cancelledAt === null ? 'SCHEDULED' : 'CANCELLED'
}

/** Every report but failures: a failure may belong to an earlier attempt. */
const hasNoEnd = ({ reportedSentAt, gaveUpAt, acceptedAt, lostAt }: MessageRecord) =>
  reportedSentAt === null && gaveUpAt === null && acceptedAt === null && lostAt === null

/**
 * @returns the failure that counts: that of the attempt whose id the message has, the accepted one, else the last that
 *   failed; undefined when none counts
 */
export const reportedFailure = ({
  failures,
  channelMessageId,
}: Pick<MessageRecord, 'failures' | 'channelMessageId'>) =>
  failures === null ? undefined : failureOf(failures, channelMessageId)

/** @returns why the message failed; null whenever its status is not FAILED. */
export function failureReasonOf(record: MessageRecord): string | null {
  return hasFailed(statusOf(record)) ? failureReasonIn(record) : null
}

/** The same of a message that is known to have failed. */
export function failureReasonIn(
  record: Pick<MessageRecord, 'failures' | 'channelMessageId' | 'gaveUpReason'>,
): string | null {
  const failure = reportedFailure(record)
  return failure ? failure.reason : record.gaveUpReason
}

/**
 * @returns when the upstream took the message: by its own answer, else by its callback; null while neither is known.
 */
export function sentAtOf(record: MessageRecord): EpochMs | null {
  return record.acceptedAt ?? record.reportedSentAt
}

/**
 * @returns the times that are shown, in their order: a message is made, sent, then delivered and read. The upstream's
 * clock has whole seconds and may be slow, so what it dates earlier is shown at the time of the step before
 * (docs/partner-api.md#states).
 */
export function timesOf(record: MessageRecord) {
  const notBefore = (at: EpochMs | null, earliest: EpochMs) => (at === null ? null : Math.max(at, earliest))
  const beganAt = beganAtOf(record)
  const sentAt = notBefore(sentAtOf(record), beganAt)
  const earliest = sentAt ?? beganAt
  return { sentAt, deliveredAt: notBefore(record.deliveredAt, earliest), readAt: notBefore(record.readAt, earliest) }
}

/** @returns since when it is to be sent: its acceptance, or its release. Its day, month and lifetime begin then */
export const beganAtOf = ({ createdAt, releasedAt }: Pick<MessageRecord, 'createdAt' | 'releasedAt'>): EpochMs =>
  releasedAt ?? createdAt

/** Applies one event. Nothing else changes a message. Applying an event again changes nothing. */
export function apply(record: MessageRecord, event: MessageEvent): MessageRecord {
  switch (event.kind) {
    case 'dispatched':
      return { ...record, dispatchedAt: earliest(record.dispatchedAt, event.at) }
    case 'deferred':
      // Its id belonged to a failed attempt. Another attempt follows.
      return mayLeave(statusOf(record)) ? { ...record, dispatchedAt: null, channelMessageId: null } : record
    case 'accepted':
      return {
        ...record,
        acceptedAt: earliest(record.acceptedAt, event.at),
        channelMessageId: event.channelMessageId,
        waId: event.waId ?? record.waId,
      }
    case 'refused':
      return giveUp(record, event.at, event.reason)
    case 'expired':
      return record.dispatchedAt === null && mayLeave(statusOf(record))
        ? giveUp(record, event.at, event.reason)
        : record
    case 'lost':
      return { ...record, lostAt: earliest(record.lostAt, event.at) }
    case 'abandoned':
      return isUncertain(statusOf(record)) ? giveUp(record, event.at, event.reason) : record
    case 'resolved':
      if (!isUncertain(statusOf(record))) return record
      return event.as === 'SENT' ? { ...record, acceptedAt: event.at } : giveUp(record, event.at, event.reason)
    case 'rescheduled':
      return isScheduled(statusOf(record)) ? { ...record, dueAt: event.dueAt } : record
    case 'released':
      return isDue(record, event.at) ? { ...record, releasedAt: event.at } : record
    case 'heldBack':
      return isDue(record, event.at) ? giveUp(record, event.at, event.reason) : record
    case 'cancelled':
      return isScheduled(statusOf(record)) ? { ...record, cancelledAt: event.at } : record
    case 'namedByUs':
      return mayBeNamed(record) ? { ...record, ownIdAt: earliest(record.ownIdAt, event.at) } : record
    case 'reported': {
      const reported = report(record, event)
      const pricing = withPricing(record.pricing, event.pricing)
      return { ...reported, pricing, channelMessageId: idAfter(record, reported, event) }
    }
  }
}

/** Its time has come. It may have been moved to another one meanwhile, or cancelled. */
const isDue = (record: MessageRecord, at: EpochMs) => isScheduled(statusOf(record)) && (record.dueAt ?? at) <= at

/** Nobody was told of it by the upstream's id, or that it failed without one. */
function mayBeNamed(record: MessageRecord): boolean {
  const status = statusOf(record)
  return isOpen(status) || (!hasFailed(status) && record.channelMessageId === null)
}

function report(record: MessageRecord, { status, at, channelMessageId: id, reason }: ReportEvent): MessageRecord {
  switch (status) {
    case 'sent':
      return { ...record, reportedSentAt: earliest(record.reportedSentAt, at) }
    case 'delivered':
      return { ...record, deliveredAt: earliest(record.deliveredAt, at) }
    case 'read':
      return { ...record, readAt: earliest(record.readAt, at) }
    case 'failed':
      return { ...record, failures: withFailure(record.failures, { id, at, reason }) }
  }
}

/**
 * The id of an answer stays. Without an answer, the id is that of the attempt that was sent, else of the last that
 * failed. A message that waits for another attempt has no id.
 */
function idAfter(before: MessageRecord, { failures }: MessageRecord, event: ReportEvent): string | null {
  const { acceptedAt, reportedSentAt, deliveredAt, readAt, channelMessageId } = before
  const gotThrough = [acceptedAt, reportedSentAt, deliveredAt, readAt].some(at => at !== null)
  if (gotThrough && channelMessageId !== null) return channelMessageId
  if (event.status !== 'failed') return event.channelMessageId
  // A repeated report: another attempt may have followed since.
  if (failures === before.failures) return channelMessageId
  const isWaiting = before.dispatchedAt === null && mayLeave(statusOf(before))
  return isWaiting ? channelMessageId : (lastFailure(failures)?.id ?? event.channelMessageId)
}

function giveUp(record: MessageRecord, at: EpochMs, reason: string): MessageRecord {
  return record.gaveUpAt === null ? { ...record, gaveUpAt: at, gaveUpReason: reason } : record
}

const earliest = (known: EpochMs | null, reported: EpochMs) => (known === null ? reported : Math.min(known, reported))
