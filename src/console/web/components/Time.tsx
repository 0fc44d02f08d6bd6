import { Text, Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { texts } from '../texts/texts.ts'
import {
  clockSecond,
  clockTime,
  dayAndClock,
  dayName,
  localDate,
  localMinute,
  localTime,
  relativeTime,
  utcTime,
  windowLeft,
} from './times.ts'

/**
 * `clock`: the hour and minute of a day that is said elsewhere; `clockSecond`: with the second. `left`: how long until
 * a window ends. `named`: the day, which may be today; `planned`: with the hour and minute.
 */
type Clock = 'clock' | 'clockSecond'
type Precision = Clock | 'second' | 'minute' | 'day' | 'named' | 'planned' | 'relative' | 'left'

/**
 * A time in the reader's zone; in UTC on hover. A relative one moves on. What is not exact has the exact time on hover
 * as well.
 * @param at epoch milliseconds, or as the API writes it; null is shown as `otherwise`
 * @param children shown in place of the time itself
 */
export function Time(props: {
  at: number | string | null
  precision?: Precision
  otherwise?: string
  children?: string
}) {
  const { at, precision = 'second', otherwise = texts.common.never, children } = props
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
      label={
        children !== undefined || (precision !== 'second' && precision !== 'day')
          ? `${localTime(moment)} · ${utc}`
          : utc
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      <Text component="time" dateTime={moment.toISOString()} span inherit>
        {children ?? shownAs(moment, precision, now)}
      </Text>
    </Tooltip>
  )
}

function shownAs(moment: Date, precision: Precision, now: number): string {
  if (precision === 'relative') return relativeTime(moment, new Date(now))
  if (precision === 'clock') return clockTime(moment)
  if (precision === 'clockSecond') return clockSecond(moment)
  if (precision === 'planned') return dayAndClock(moment, new Date(now))
  if (precision === 'named') return dayName(moment, new Date(now))
  if (precision === 'left') return windowLeft(moment, new Date(now))
  if (precision === 'minute') return localMinute(moment)
  return precision === 'day' ? localDate(moment) : localTime(moment)
}

/** Relative times are shown in minutes. */
const everyMs = 20_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times of a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** @returns the time of now, some seconds old; it moves on while the component is shown */
export const useNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / everyMs) * everyMs)
