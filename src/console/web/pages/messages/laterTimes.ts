import { hourMs, minuteMs } from '../../../../base/durations.ts'
import { aheadMsMax, aheadMsMin } from '../../../../sending/sendAt.ts'
import { fieldDay } from '../../components/times.ts'

/** When an office opens. */
const opensAt = 9
const [monday, week] = [1, 7]

/** @returns the times that people choose most, in the reader's zone */
export function presets(now: Date) {
  const [year, month, today] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const opening = (days: number) => new Date(year, month, today + days, opensAt)
  const toMonday = (monday - now.getDay() + week) % week || week
  return {
    soon: new Date(now.getTime() + hourMs),
    // On a Sunday, Monday is tomorrow.
    openings: toMonday === 1 ? [opening(1)] : [opening(1), opening(toMonday)],
  }
}

/** `2026-03-01T09:00`, of the reader's zone, as a field of a form has it. */
export const fieldMinute = (at: Date): string =>
  `${fieldDay(at.getFullYear(), at.getMonth(), at.getDate())}T${at.toTimeString().slice(0, 5)}`

/** @returns the first and the last minute that the gateway takes, by the clock of this page */
export const laterBounds = (now: number) => ({
  from: new Date(Math.ceil((now + aheadMsMin) / minuteMs) * minuteMs),
  until: new Date(Math.floor((now + aheadMsMax) / minuteMs) * minuteMs),
})
