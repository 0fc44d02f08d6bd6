import type { EpochMs } from '../base/clock.ts'

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
