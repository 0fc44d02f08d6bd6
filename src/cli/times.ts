import { type EpochMs, systemClock } from '../base/clock.ts'
import { dayMs, hourMs, minuteMs } from '../base/durations.ts'
import { readerOf } from './inputs.ts'

const unitMs = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs } as const
/** Ten years: more is a mistake. */
const durationMsMax = 3_650 * unitMs.d

/** @returns null for anything but a whole number with a unit: `24h` */
function amountOf(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  return unit === undefined ? null : Number(amount) * unitMs[unit as keyof typeof unitMs]
}

/** @returns null for anything but such an amount, or a plain 0. */
function durationOf(text: string): number | null {
  const ms = text === '0' ? 0 : amountOf(text)
  return ms !== null && ms <= durationMsMax ? ms : null
}

/** A span of time, in milliseconds. @param msMax whole days */
export const durationUpTo = (msMax: number) =>
  readerOf('duration', `It must be a duration of at most ${msMax / dayMs} days, as in 30m, 24h or 7d.`, text => {
    const ms = durationOf(text)
    return ms !== null && ms <= msMax ? ms : null
  })

const dateForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{3})?)?Z)?$/

/** @returns when something ends, `now` being the time of the store; null: never */
type Ending = (now: EpochMs) => EpochMs | null

export const never: Ending = () => null

/** When something ends: a duration from now on, a date (UTC, from its first moment), or a time of a date. */
export const ending = readerOf<Ending>(
  'date|duration',
  'It must be a future time in UTC: a duration (90d), a date (2030-01-31), 2030-01-31T12:00Z, or never.',
  text => {
    if (text === 'never') return never
    const ms = durationOf(text)
    if (ms) return now => now + ms
    const at = dateForm.test(text) ? Date.parse(text) : Number.NaN
    return at > systemClock.now() ? () => at : null
  },
)

/** Without a zone, a time would mean another moment on another machine; a date alone is UTC. */
const instantForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** A moment: a date, a time with its zone, or how long ago. */
export const instant = readerOf(
  'when',
  'It must be a date (2026-01-31), a time (2026-01-31T10:00Z), or how long ago (30m, 24h, 7d, 2w).',
  text => {
    const agoMs = amountOf(text)
    if (agoMs !== null) return systemClock.now() - agoMs
    const at = instantForm.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(at) ? null : at
  },
)
