import { dayMs, hourMs, minuteMs, secondMs } from '../../../base/durations.ts'
import { windowMs } from '../../../base/upstreamLimits.ts'
import { capital, language, texts } from '../texts/texts.ts'

const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const minuteFormat = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
const clockFormat = new Intl.DateTimeFormat(language, { timeStyle: 'medium' })
const dayMinuteFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const secondFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' })

/** In the reader's zone, which the time names, and the language of the texts. */
export const localDate = (moment: Date): string => dayFormat.format(moment)
export const clockTime = (moment: Date): string => minuteFormat.format(moment)
export const clockSecond = (moment: Date): string => clockFormat.format(moment)
export const localMinute = (moment: Date): string => dayMinuteFormat.format(moment)
/** The zone never stands in a line of its own. */
export const localTime = (moment: Date): string => secondFormat.format(moment).replace(/ (?=\S+$)/, '\u00a0')

/** `2026-03-01 09:30:00` */
export const utcTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ')

const monthFormat = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** @param month `2026-03`, of UTC */
export const monthName = (month: string): string => monthFormat.format(new Date(`${month}-01T00:00Z`))

const relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const yearlessFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })

const dayNameFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const weekdayFormat = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' })
const calendarDay = (moment: Date) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / dayMs

/** `Today`, `Tomorrow`, `Yesterday`, `Monday 5 October`; of another year `5 Oct 2025`. In the reader's zone. */
export function dayName(moment: Date, now: Date): string {
  const daysAgo = calendarDay(now) - calendarDay(moment)
  if (Math.abs(daysAgo) <= 1) return capital(dayNameFormat.format(-daysAgo, 'day'))
  return moment.getFullYear() === now.getFullYear() ? weekdayFormat.format(moment) : localDate(moment)
}

/** `Tomorrow, 09:00` */
export const dayAndClock = (moment: Date, now: Date): string => `${dayName(moment, now)}, ${clockTime(moment)}`

/** Units in which a length of time is told, the longest first. What is shorter than all of them is told in seconds. */
export const timeUnits = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const
/** Clocks may differ so much: what has happened is not said to be still to come. */
const aheadMsMax = 2 * minuteMs
/** Older times are told as days of the calendar. */
const relativeDaysMax = 6

/** `now`, `5 min. ago`, `yesterday`, `in 2 days`; further away `3 Oct`, of another year with the year. */
export function relativeTime(moment: Date, now: Date): string {
  const agoMs = now.getTime() - moment.getTime()
  const awayMs = agoMs < 0 && agoMs > -aheadMsMax ? 0 : Math.abs(agoMs)
  if (awayMs > relativeDaysMax * dayMs) {
    return moment.getFullYear() === now.getFullYear() ? yearlessFormat.format(moment) : localDate(moment)
  }
  const [unit, unitMs] = timeUnits.find(([, longMs]) => awayMs >= longMs) ?? (['second', secondMs] as const)
  return relativeFormat.format(unit === 'second' ? 0 : -Math.sign(agoMs) * Math.floor(awayMs / unitMs), unit)
}

/** From so many on, what is left of a window is told in whole hours. */
const wholeHoursMin = 3

/**
 * @returns what is left of a window, a minute that has begun told as a whole one. A page's time of now is some seconds
 *   old: no window has more than all of it
 */
export function windowLeft(endsAt: Date, now: Date): string {
  const leftMs = Math.min(windowMs, Math.max(minuteMs, endsAt.getTime() - now.getTime()))
  const minutes = Math.ceil(leftMs / minuteMs)
  const perHour = hourMs / minuteMs
  const hours = Math.floor(minutes / perHour)
  return texts.common.left(hours, hours >= wholeHoursMin ? 0 : minutes % perHour)
}

/** @returns how many whole days ago. */
export const daysSince = (at: number | string, now: number = Date.now()): number =>
  Math.max(0, Math.floor((now - new Date(at).getTime()) / dayMs))

/** `2026-01-31`, of the reader's zone, as a field of a form has it. */
export function fieldDay(year: number, month: number, day: number): string {
  const at = new Date(year, month, day)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** @returns the ranges of days that people ask for most, each with its first and its last day */
export function dayRanges(now: Date) {
  const [year, month, today] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const back = (days: number) => fieldDay(year, month, today - days)
  return {
    today: { since: back(0), until: back(0) },
    yesterday: { since: back(1), until: back(1) },
    week: { since: back(6), until: back(0) },
    // The day 0 is the last one of the month before.
    lastMonth: { since: fieldDay(year, month - 1, 1), until: fieldDay(year, month, 0) },
  }
}
export type DayRange = keyof ReturnType<typeof dayRanges>

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

const weekdayNameFormat = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
/** @param day Monday is 1. @returns `Mon`, in the language of the page */
export const weekdayName = (day: number) => weekdayNameFormat.format(Date.UTC(2026, 0, 4 + day))
