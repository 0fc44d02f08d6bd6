import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { DayNumbers } from './dayNumbers.ts'

/** Far beyond what one machine sends in a month; more is a typing mistake. */
export const monthlyLimitMax = 1_000_000_000

/** @returns the calendar month that a message counts for, in UTC: `2026-01`. */
export function monthOf(at: EpochMs): string {
  const date = new Date(at)
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

/** @returns when the month that `at` lies in ends, and the count with it. */
export function monthEnd(at: EpochMs): EpochMs {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

interface Plan {
  /** Null: there is none. */
  readonly limit: number | null
  readonly used: number
}

/** @returns whether a plan has no room for another message: a send is refused by it before anything of it is stored */
export const isUsedUp = ({ limit, used }: Plan): boolean => limit !== null && used >= limit

/** Weekdays and weekends alike. Today is not over, so it does not count. */
const paceDays = 7
/** With messages on fewer of them, a pace is a guess. */
const daysMin = 3

/**
 * @param days the latest ones, oldest first, the last one today
 * @returns when the monthly limit is reached at the pace of the last week: null when it is not within this month, or
 *   when there are too few days to say
 */
export function limitReachedAt({ limit, used }: Plan, days: readonly DayNumbers[], now: EpochMs): EpochMs | null {
  if (limit === null || isUsedUp({ limit, used })) return null
  // What was refused does not count against the limit.
  const sent = days
    .slice(-paceDays - 1, -1)
    .map(({ sent, delivered, read, unknown }) => sent + delivered + read + unknown)
  if (sent.filter(count => count > 0).length < daysMin) return null
  const perDay = sent.reduce((sum, count) => sum + count, 0) / sent.length
  const at = now + ((limit - used) / perDay) * dayMs
  return at < monthEnd(now) ? at : null
}
