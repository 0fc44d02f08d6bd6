import { Cron } from 'croner'
import type { EpochMs } from './clock.ts'
import { dayMs, hourMs, minuteMs } from './durations.ts'

/** When something recurs: after an interval, or at the times of a cron pattern, in UTC. */
export type Recurrence = { readonly everyMs: number } | { readonly pattern: string }

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs }
/** A hundred days: anything less frequent is done by hand. */
const everyMsMax = 100 * dayMs

/** @param text `30m`, `6h`, `1d`, or a cron pattern of five fields. @returns null when it is neither */
export function parseRecurrence(text: string): Recurrence | null {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const everyMs = Number(count) * (unitMs[unit] ?? 0)
  if (count !== undefined) return everyMs > 0 && everyMs <= everyMsMax ? { everyMs } : null
  if (text.split(/\s+/).length !== 5) return null
  try {
    return new Cron(text, { timezone: 'UTC' }).nextRun() === null ? null : { pattern: text }
  } catch {
    return null
  }
}

/** @returns the first time that is later than `after` */
export function nextTime(recurrence: Recurrence, after: EpochMs): EpochMs {
  if ('everyMs' in recurrence) return after + recurrence.everyMs
  const next = new Cron(recurrence.pattern, { timezone: 'UTC' }).nextRun(new Date(after))
  return next?.getTime() ?? Number.POSITIVE_INFINITY
}
