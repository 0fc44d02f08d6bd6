import { type DailyCount, deliverySecondsMax } from './counts.ts'
import type { MessageStatus } from './statuses.ts'

/** The messages of one day, by outcome. */
export interface DayNumbers {
  /** `2026-01-31`, UTC. */
  readonly day: string
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly unknown: number
}

/** Which number a message of a status adds to; what is open, or cancelled, counts in no day. */
const numbers = {
  SCHEDULED: null,
  QUEUED: null,
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  CANCELLED: null,
} as const satisfies Record<MessageStatus, keyof DayNumbers | null>

const isStatus = (kind: string): kind is MessageStatus => Object.hasOwn(numbers, kind)

/** @returns a row for each day, also for those without messages */
export function numbersByDay(counts: readonly DailyCount[], days: readonly string[]): DayNumbers[] {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return days.map(day => {
    const added = { day, sent: 0, delivered: 0, read: 0, failed: 0, unknown: 0 }
    for (const { kind, count } of byDay.get(day) ?? []) {
      const number = isStatus(kind) ? numbers[kind] : null
      if (number !== null) added[number] += count
    }
    return added
  })
}

/** Totals of some days, and the share that arrived. Null: nothing was sent, or delivered. */
export function ratesOf(days: readonly DayNumbers[]) {
  const total = (of: (day: DayNumbers) => number) => days.reduce((sum, day) => sum + of(day), 0)
  const read = total(day => day.read)
  const delivered = read + total(day => day.delivered)
  const failed = total(day => day.failed)
  const unknown = total(day => day.unknown)
  const all = delivered + total(day => day.sent) + failed + unknown
  return {
    messages: all,
    delivered,
    read,
    failed,
    unknown,
    deliveryRate: all === 0 ? null : delivered / all,
    readRate: delivered === 0 ? null : read / delivered,
  }
}

/** How many failed, by the upstream's code or by the reason; most first. */
export function causesOf(counts: readonly DailyCount[]): { cause: string; count: number }[] {
  const byCause = new Map<string, number>()
  for (const { kind, count } of counts) {
    if (!kind.startsWith('failed:')) continue
    const cause = kind.slice('failed:'.length)
    byCause.set(cause, (byCause.get(cause) ?? 0) + count)
  }
  return [...byCause]
    .map(([cause, count]) => ({ cause, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
}

/**
 * @returns after how many seconds a share of the delivered messages had arrived, to the exactness of the classes; null
 *   when none was delivered; Infinity when it is longer than the last class
 */
export function deliveredWithin(counts: readonly DailyCount[], share: number): number | null {
  const bounds = [...deliverySecondsMax, Number.POSITIVE_INFINITY]
  const byClass = bounds.map(seconds => {
    const kind = `within:${Number.isFinite(seconds) ? seconds : 'more'}`
    return counts.reduce((sum, { kind: own, count }) => (own === kind ? sum + count : sum), 0)
  })
  const all = byClass.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let below = 0
  for (const [at, count] of byClass.entries()) {
    const bound = bounds[at] ?? Number.POSITIVE_INFINITY
    if (count > 0 && below + count >= all * share) {
      const from = bounds[at - 1] ?? 0
      // Within a class, an even spread is assumed.
      return Number.isFinite(bound) ? from + (bound - from) * ((all * share - below) / count) : bound
    }
    below += count
  }
  return null
}
