import { Text, Tooltip } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { clockTime, localDate, localTime, relativeTime, utcTime } from './times.ts'
import { useNow } from './useNow.ts'

/** `clock`: the hour and minute of a day that is said elsewhere. */
type Precision = 'second' | 'day' | 'clock' | 'relative'

/**
 * A time in the reader's zone; in UTC on hover. A relative one moves on. What is not exact has the exact time on hover as well.
 * @param at epoch milliseconds, or as the API writes it; null is shown as `otherwise`
 */
export function Time(props: { at: number | string | null; precision?: Precision; otherwise?: string }) {
  const { at, precision = 'second', otherwise = texts.common.never } = props
  const now = useNow()
  if (at === null)
    return (
      <Text span inherit>
        {otherwise}
      </Text>
    )
  const moment = new Date(at)
  const utc = texts.common.utc(utcTime(moment))
  return (
    <Tooltip
      label={precision === 'relative' || precision === 'clock' ? `${localTime(moment)} · ${utc}` : utc}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Text component="time" dateTime={moment.toISOString()} span inherit>
        {shownAs(moment, precision, now)}
      </Text>
    </Tooltip>
  )
}

function shownAs(moment: Date, precision: Precision, now: number): string {
  if (precision === 'relative') return relativeTime(moment, new Date(now))
  if (precision === 'clock') return clockTime(moment)
  return precision === 'day' ? localDate(moment) : localTime(moment)
}
