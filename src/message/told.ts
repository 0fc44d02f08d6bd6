import type { EpochMs } from '../base/clock.ts'
import { failuresFirst, lastFailure, numberOf } from './failures.ts'
import { type MessageRecord, reportedFailure, sentAtOf, timesOf } from './state.ts'
import { hasFailed, isUncertain, type MessageStatus } from './statuses.ts'

/*
 * Which events callers are told of a message (docs/architecture.md#events), and what the message was at such an event.
 *
 * An event keeps no copy of the message: only which facts of its record were known. A record only gains facts, so the
 * message of that moment is the present record without what came later. What a later report replaces is shown as it is
 * now: an earlier time, or a later reason of the same failure. An id of ours is given before it could be told.
 */

/** The events that moves give. */
export type ToldType =
  | 'message.scheduled'
  | 'message.released'
  | 'message.cancelled'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.unknown'

/** An event of a message for callers. */
export interface Told {
  readonly type: ToldType
  /** When it happened, as the message shows it. */
  readonly at: EpochMs
  /** As `knownOf` has it. */
  readonly known: number
}

const facts = ['acceptedAt', 'reportedSentAt', 'deliveredAt', 'readAt', 'gaveUpAt', 'lostAt'] as const
const goesThrough = ['acceptedAt', 'reportedSentAt', 'deliveredAt', 'readAt'] as const
const reports = ['reportedSentAt', 'deliveredAt', 'readAt'] as const
/** The upstream's id of the message is known. */
const hasId = 1 << facts.length
/** From here on stands how many failures were known when one of them counted; 0: none counted. */
const failuresUnit = hasId << 1

/** @returns which facts of a record are known, as a number */
export function knownOf(record: MessageRecord): number {
  const factBits = facts.reduce((bits, fact, at) => (record[fact] === null ? bits : bits | (1 << at)), 0)
  const idBit = record.channelMessageId === null ? 0 : hasId
  const failures = reportedFailure(record) ? numberOf(record.failures) : 0
  return (factBits | idBit) + failures * failuresUnit
}

/** @returns the record as it was at an event of this type, when only `known` of it was */
export function recordWith<Record extends MessageRecord>(present: Record, known: number, type: string): Record {
  const isKnown = (fact: (typeof facts)[number]) => (known & (1 << facts.indexOf(fact))) !== 0
  return {
    ...present,
    ...Object.fromEntries(facts.map(fact => [fact, isKnown(fact) ? present[fact] : null])),
    gaveUpReason: isKnown('gaveUpAt') ? present.gaveUpReason : null,
    waId: isKnown('acceptedAt') ? present.waId : null,
    // Reports alone tell it, and all of a message tell the same one.
    pricing: reports.some(isKnown) ? present.pricing : null,
    // What follows it is known at any later event.
    ...(type === 'message.scheduled' && { releasedAt: null, cancelledAt: null }),
    ...idAndFailures(present, known, goesThrough.some(isKnown)),
  }
}

/** @param isThrough an attempt got through: its id stays */
function idAndFailures(present: MessageRecord, known: number, isThrough: boolean) {
  const count = Math.floor(known / failuresUnit)
  if (isThrough || count === 0) {
    const channelMessageId = (known & hasId) === 0 ? null : present.channelMessageId
    return { channelMessageId, failures: count === 0 ? null : present.failures }
  }
  // The message had the id of the last attempt that had failed by then.
  const failures = failuresFirst(present.failures, count)
  return { channelMessageId: lastFailure(failures)?.id ?? null, failures }
}

/**
 * @param at when it moved
 * @returns what callers are told of a move, in the order in which a message goes. A repeated report tells nothing
 */
export function toldOf(
  before: MessageRecord & { readonly status: MessageStatus },
  after: MessageRecord,
  status: MessageStatus,
  at: EpochMs,
): readonly Told[] {
  const types: ToldType[] = []
  if (before.dueAt !== after.dueAt) types.push('message.scheduled')
  if (before.releasedAt !== after.releasedAt) types.push('message.released')
  if (before.cancelledAt !== after.cancelledAt) types.push('message.cancelled')
  if (sentAtOf(before) === null && sentAtOf(after) !== null) types.push('message.sent')
  if (before.deliveredAt === null && after.deliveredAt !== null) types.push('message.delivered')
  if (before.readAt === null && after.readAt !== null) types.push('message.read')
  if (status !== before.status && hasFailed(status)) types.push('message.failed')
  if (status !== before.status && isUncertain(status)) types.push('message.unknown')
  if (types.length === 0) return none
  const known = knownOf(after)
  return types.map(type => ({ type, at: momentOf(type, after) ?? at, known }))
}

const none: readonly Told[] = []

/** @returns when that happened, of a record that knows it; null: it does not */
function momentOf(type: ToldType, record: MessageRecord): EpochMs | null {
  const { sentAt, deliveredAt, readAt } = timesOf(record)
  return {
    'message.scheduled': null,
    'message.released': record.releasedAt,
    'message.cancelled': record.cancelledAt,
    'message.sent': sentAt,
    'message.delivered': deliveredAt,
    'message.read': readAt,
    'message.failed': failedAtOf(record),
    'message.unknown': record.lostAt,
  }[type]
}

/** The upstream dates a failure in whole seconds: it is not shown before the step that it follows. */
function failedAtOf(record: MessageRecord): EpochMs {
  const at = reportedFailure(record)?.at ?? record.gaveUpAt ?? record.createdAt
  return Math.max(at, timesOf(record).sentAt ?? record.createdAt)
}
