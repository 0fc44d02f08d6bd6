const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const secondFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** In the reader's zone, which the time names, and language. */
export const localDate = (moment: Date): string => dayFormat.format(moment)
export const localTime = (moment: Date): string => secondFormat.format(moment)

/** `2026-03-01 09:30:00` */
export const utcTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ')

const dayMs = 86_400_000

/** @returns how many whole days ago. */
export const daysSince = (at: number | string, now: number = Date.now()): number =>
  Math.max(0, Math.floor((now - new Date(at).getTime()) / dayMs))
