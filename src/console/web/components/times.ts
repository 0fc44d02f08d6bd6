const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const minuteFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const secondFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** In the reader's zone, which the time names, and language. */
export const localDate = (moment: Date): string => dayFormat.format(moment)
export const clockTime = (moment: Date): string => minuteFormat.format(moment)
export const localTime = (moment: Date): string => secondFormat.format(moment)

/** `2026-03-01 09:30:00` */
export const utcTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ')

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** @param month `2026-03`, of UTC */
export const monthName = (month: string): string => monthFormat.format(new Date(`${month}-01T00:00Z`))

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const yearlessFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** From which age in seconds a time is told in a unit, and how long one is. */
const ages = [
  [86_400, 86_400, 'day'],
  [3_600, 3_600, 'hour'],
  [60, 60, 'minute'],
] as const
/** Seconds by which clocks may differ: what has happened is not said to be still to come. */
const aheadMax = 120
/** Older times are told as days of the calendar. */
const relativeDaysMax = 6

/** `now`, `5 min. ago`, `yesterday`, `in 2 days`; further away `3 Oct`, of another year with the year. */
export function relativeTime(moment: Date, now: Date): string {
  const ago = (now.getTime() - moment.getTime()) / 1_000
  const seconds = ago < 0 && ago > -aheadMax ? 0 : Math.abs(ago)
  if (seconds > relativeDaysMax * 86_400) {
    return moment.getFullYear() === now.getFullYear() ? yearlessFormat.format(moment) : localDate(moment)
  }
  const [, size, unit] = ages.find(([from]) => seconds >= from) ?? ([0, 1, 'second'] as const)
  return relativeFormat.format(unit === 'second' ? 0 : -Math.sign(ago) * Math.floor(seconds / size), unit)
}

const dayMs = 86_400_000

/** @returns how many whole days ago. */
export const daysSince = (at: number | string, now: number = Date.now()): number =>
  Math.max(0, Math.floor((now - new Date(at).getTime()) / dayMs))

/**
 * The beginning of a local day of the address; `plusDays` 1: its end. A moment stays as it is: where days of UTC were
 * counted, the list has the same ones.
 */
export function dayStart(day: string, plusDays = 0): Date | undefined {
  const isMoment = day.includes('T')
  const start = new Date(isMoment ? day : `${day}T00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  if (!isMoment) start.setDate(start.getDate() + plusDays)
  return start
}
