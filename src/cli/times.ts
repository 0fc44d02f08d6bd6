import { InvalidArgumentError } from 'commander'
import { type EpochMs, systemClock } from '../time/clock.ts'
import type { Reader } from './inputs.ts'

const minuteMs = 60_000
const unitMs = { m: minuteMs, h: 60 * minuteMs, d: 1_440 * minuteMs, w: 10_080 * minuteMs } as const
/** Ten years: more is a mistake. */
const durationMsMax = 3_650 * unitMs.d

/** @returns null for anything but a whole number with a unit, `24h`, or a plain 0. */
function durationOf(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (text === '0') return 0
  if (amount === undefined || unit === undefined) return null
  const ms = Number(amount) * unitMs[unit as keyof typeof unitMs]
  return ms <= durationMsMax ? ms : null
}

/** A span of time, in milliseconds. */
export const duration: Reader<number> = {
  placeholder: 'duration',
  read(text) {
    const ms = durationOf(text)
    if (ms === null)
      throw new InvalidArgumentError('It must be a duration of at most ten years, as in 30m, 24h or 90d.')
    return ms
  },
}

const dateForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{3})?)?Z)?$/

/** @returns when something ends, `now` being the time of the store; null: never */
type Ending = (now: EpochMs) => EpochMs | null

export const never: Ending = () => null

/** When something ends: a duration from now on, a date (UTC, from its first moment), or a time of a date. */
export const ending: Reader<Ending> = {
  placeholder: 'date|duration',
  read(text) {
    if (text === 'never') return never
    const ms = durationOf(text)
    if (ms) return now => now + ms
    const at = dateForm.test(text) ? Date.parse(text) : Number.NaN
    if (!(at > systemClock.now())) {
      throw new InvalidArgumentError(
        'It must be a time to come, in UTC: a duration (90d), a date (2030-01-31), 2030-01-31T12:00Z, or never.',
      )
    }
    return () => at
  },
}
