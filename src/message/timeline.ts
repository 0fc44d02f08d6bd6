import type { EpochMs } from '../base/clock.ts'
import { paymentTypes } from '../base/eventTypes.ts'

/** The fields that every entry of a timeline has. */
interface Entry {
  readonly kind: string
  readonly at: EpochMs
  readonly recordedAt: EpochMs
}

/**
 * Within one second, our own events come before the upstream's reports, in the order of a message's life. Callbacks
 * have whole seconds, and would otherwise come before the answer that they follow.
 */
const paymentRanks = Object.fromEntries(paymentTypes.map(type => [type, 5]))
const ranks: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3, failed: 4, ...paymentRanks }
const ownRank = 0
const rankOf = ({ kind }: Entry) => ranks[kind] ?? ownRank
const secondOf = ({ at }: Entry) => Math.floor(at / 1_000)

/** @returns the events of a message from its acceptance on, as they happened */
export const wholeTimeline = <Recorded extends Entry>(
  { createdAt, dueAt }: { readonly createdAt: EpochMs; readonly dueAt: EpochMs | null },
  recorded: readonly Recorded[],
) => [
  { kind: dueAt === null ? 'queued' : 'scheduled', at: createdAt, recordedAt: createdAt, detail: null },
  ...recorded.toSorted(
    (a, b) => secondOf(a) - secondOf(b) || rankOf(a) - rankOf(b) || a.at - b.at || a.recordedAt - b.recordedAt,
  ),
]
