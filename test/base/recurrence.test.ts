import { describe, expect, test } from 'bun:test'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { nextTime, parseRecurrence } from '../../src/base/recurrence.ts'

const noon = Date.UTC(2026, 0, 31, 12, 0, 0)

describe('a time', () => {
  const rows: readonly [text: string, everyMs: number][] = [
    ['1m', 60_000],
    ['30m', 30 * minuteMs],
    ['6h', 6 * hourMs],
    ['1d', 24 * hourMs],
    ['100d', 2400 * hourMs],
  ]
  test.each(rows)('%s', (text, everyMs) => {
    const every = parseRecurrence(text)
    expect(every).toEqual({ everyMs })
    expect(every && nextTime(every, noon)).toBe(noon + everyMs)
  })
})

describe('a cron pattern, in UTC', () => {
  const rows: readonly [text: string, next: string][] = [
    ['0 4 * * *', '2026-02-01T04:00:00.000Z'],
    ['*/15 * * * *', '2026-01-31T12:15:00.000Z'],
    ['30 2 * * SUN', '2026-02-01T02:30:00.000Z'],
    ['0 0 1 3 *', '2026-03-01T00:00:00.000Z'],
  ]
  test.each(rows)('%s', (text, next) => {
    const every = parseRecurrence(text)
    expect(every && new Date(nextTime(every, noon)).toISOString()).toBe(next)
  })

  test('a time that is exactly now is not the next one', () => {
    const every = parseRecurrence('0 12 * * *')
    expect(every && nextTime(every, noon)).toBe(noon + 24 * hourMs)
  })
})

const wrong = [
  '',
  '0m',
  '101d',
  '6',
  '6 h',
  '1w',
  '-1h',
  '1.5h',
  'daily',
  '@daily',
  '* * * *',
  '* * * * * *',
  '0 25 * * *',
]
test.each([...wrong, '0 0 31 2 *'])('"%s" is neither, or never comes', text => {
  expect(parseRecurrence(text)).toBeNull()
})
