import type { EpochMs } from '../base/clock.ts'
import { hourMs, minuteMs, secondMs } from '../base/durations.ts'

/** The schedule that Standard Webhooks 1.0 gives as an example: ten attempts in 76 hours. */
const waitsMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** So that events that failed together do not come together again. */
const jitter = 0.2
/** How much a receiver may lengthen a wait with `Retry-After`. */
const lengthenedMax = 2

/**
 * @param failed an attempt that failed. `step`: the attempts before it in this schedule. `endedAt`: its end.
 *   `retryAfter`: the header of its answer. `random`: from 0 to 1, 1 left out
 * @returns when the next attempt is due; null when it was the last one
 */
export function nextAttemptAt(failed: {
  readonly step: number
  readonly endedAt: EpochMs
  readonly retryAfter: string | null
  readonly random: number
}): EpochMs | null {
  const { step, endedAt, retryAfter, random } = failed
  const usualMs = waitsMs[step]
  if (usualMs === undefined) return null
  const waitMs = usualMs * (1 - jitter + 2 * jitter * random)
  const askedMs = retryAfterMs(retryAfter, endedAt) ?? 0
  return Math.round(endedAt + Math.min(Math.max(waitMs, askedMs), lengthenedMax * usualMs))
}

/** @returns the wait that a `Retry-After` asks for (RFC 9110 10.2.3): seconds or a date; null when it has neither */
function retryAfterMs(text: string | null, at: EpochMs): number | null {
  if (text === null) return null
  if (/^\d{1,10}$/.test(text.trim())) return Number(text) * secondMs
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - at)
}
