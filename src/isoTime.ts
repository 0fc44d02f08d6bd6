import type { EpochMs } from './clock.ts'

const secondMs = 1_000
const dayMs = 86_400_000

/** @returns every number of so many digits, written with all of them. */
const written = (digits: number) =>
  Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, '0'))
const twoDigits = written(2)
const threeDigits = written(3)

/** Nearly all times that are written one after another are of the same day. */
let day = Number.NaN
let dayText = ''

/**
 * @returns the time as the contract writes it, `2026-03-01T09:30:00.412Z`: what Date makes of it, in a quarter of its
 * time. A status answer has up to four of them, and they took a tenth of it.
 */
export function isoTime(at: EpochMs): string {
  const today = Math.floor(at / dayMs)
  if (today !== day) {
    dayText = new Date(today * dayMs).toISOString().split('T', 1).join()
    day = today
  }
  const ms = Math.floor(at) - today * dayMs
  const second = Math.floor(ms / secondMs)
  const minute = Math.floor(second / 60)
  return `${dayText}T${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}.${threeDigits[ms % secondMs]}Z`
}

/** @returns the same, or null for what has not happened. */
export const isoTimeOrNull = (at: EpochMs | null): string | null => (at === null ? null : isoTime(at))
