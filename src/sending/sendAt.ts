import type { EpochMs } from '../base/clock.ts'
import { dayMs, minuteMs } from '../base/durations.ts'
import type { Issue } from '../base/errors.ts'

/** A send that is nearer leaves at once, in the time that a caller's clock may be wrong. */
export const aheadMsMin = minuteMs
/** The longest month, and a few days. Whoever plans longer ahead has a calendar of its own. */
export const aheadMsMax = 35 * dayMs

/** A time with seconds or without, and with its offset: without one, it would be of the time zone of some server. */
const timeWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
export const sendAtProblem = 'must be a time with its offset from UTC, as 2026-03-01T09:00:00+01:00'

/** @returns the time that a caller gave; null: it is none, or has no offset */
export function readSendAt(given: string): EpochMs | null {
  const at = timeWithOffset.test(given) && isDay(given.slice(0, 10)) ? Date.parse(given) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** February 30 would be read as March 2. */
function isDay(given: string): boolean {
  const at = Date.parse(given)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given)
}

const iso = (at: EpochMs) => new Date(at).toISOString()

/** @returns what is wrong with a time to send at: it is too near, or too far ahead; null: nothing */
export function sendAtIssue(dueAt: EpochMs, now: EpochMs): Issue | null {
  const [from, until] = [now + aheadMsMin, now + aheadMsMax]
  if (dueAt >= from && dueAt <= until) return null
  const message = `must be 1 minute to 35 days ahead: from ${iso(from)} to ${iso(until)}; it is now ${iso(now)}`
  return { path: '/sendAt', message }
}
