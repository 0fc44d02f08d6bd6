import { Text, Tooltip } from '@mantine/core'
import { texts } from '../texts/texts.ts'
import { localDate, localTime, utcTime } from './times.ts'

/**
 * A time in the reader's zone; in UTC on hover.
 * @param at epoch milliseconds, or as the API writes it; null is shown as `otherwise`
 */
export function Time(props: { at: number | string | null; precision?: 'second' | 'day'; otherwise?: string }) {
  const { at, precision = 'second', otherwise = texts.common.never } = props
  if (at === null)
    return (
      <Text span inherit>
        {otherwise}
      </Text>
    )
  const moment = new Date(at)
  return (
    <Tooltip label={texts.common.utc(utcTime(moment))} events={{ hover: true, focus: true, touch: true }}>
      <Text component="time" dateTime={moment.toISOString()} span inherit>
        {precision === 'day' ? localDate(moment) : localTime(moment)}
      </Text>
    </Tooltip>
  )
}
