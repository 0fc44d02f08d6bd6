import type { EpochMs } from '../base/clock.ts'
import { countryOf } from './callingCodes.ts'
import type { QuietHours } from './quietSettings.ts'
import timeZones from './timeZones.json' with { type: 'json' }

/*
 * The hours in which a workspace writes to nobody by itself (docs/partner-api.md#quiet-hours). Pure.
 */

/** @returns the time zone of a number: that of its country, where it has one time; else the one that is given */
export function timeZoneOf(recipient: string, otherwise: string): string {
  const country = countryOf(recipient)
  const zone: unknown = country === null ? undefined : Reflect.get(timeZones, country)
  return typeof zone === 'string' ? zone : otherwise
}

/** @returns whether a text names a time zone that is known here: a place, or UTC. An offset has no summer */
export function isTimeZone(given: string): boolean {
  try {
    const { timeZoneId } = Temporal.Now.zonedDateTimeISO(given)
    return !/^[+-]/.test(timeZoneId) && timeZoneId.toLowerCase() === given.toLowerCase()
  } catch {
    return false
  }
}

/** Of a week that is quiet throughout, the hours of which are refused where they are set. */
const stepsMax = 8

/**
 * @returns until when a message of this category waits that is sent to this person now; null: it leaves. Hours that
 *   end where the next ones begin are one wait
 */
export function quietUntil(
  hours: QuietHours,
  category: string | null,
  recipient: string,
  now: EpochMs,
): EpochMs | null {
  if (!hours.categories.some(quiet => quiet === category)) return null
  const zone = timeZoneOf(recipient, hours.timeZone)
  let at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  for (let step = 0; step < stepsMax; step += 1) {
    const end = endOf(hours, at)
    if (end === null) break
    at = end
  }
  return at.epochMilliseconds > now ? at.epochMilliseconds : null
}

/** @returns the end of the hours that a moment lies in: they began on its day, or on the day before; null: of none */
function endOf({ from, to, days }: QuietHours, at: Temporal.ZonedDateTime): Temporal.ZonedDateTime | null {
  for (const date of [at.toPlainDate(), at.toPlainDate().subtract({ days: 1 })]) {
    if (!days.some(day => day === date.dayOfWeek)) continue
    const zone = at.timeZoneId
    const begin = date.toZonedDateTime({ timeZone: zone, plainTime: from })
    const end = date.add({ days: to > from ? 0 : 1 }).toZonedDateTime({ timeZone: zone, plainTime: to })
    if (Temporal.ZonedDateTime.compare(begin, at) <= 0 && Temporal.ZonedDateTime.compare(at, end) < 0) return end
  }
  return null
}
