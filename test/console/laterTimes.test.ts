import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { dayMs, minuteMs } from '../../src/base/durations.ts'

// Not by a static import: browser code is type-checked by itself.
const { fieldMinute, laterBounds, presets } = await import(
  resolve(import.meta.dir, '../../src/console/web/pages/messages/laterTimes.ts')
)

test.each<[day: string, now: Date, openings: string[]]>([
  ['a Wednesday', new Date(2026, 5, 17, 18, 30), ['2026-06-18T09:00', '2026-06-22T09:00']],
  ['a Monday before nine', new Date(2026, 5, 15, 8), ['2026-06-16T09:00', '2026-06-22T09:00']],
  ['a Sunday: Monday is tomorrow', new Date(2026, 5, 14, 8), ['2026-06-15T09:00']],
  ['the last day of a year', new Date(2026, 11, 31, 12), ['2027-01-01T09:00', '2027-01-04T09:00']],
])('what is offered on %s', (_, now, openings) => {
  const { soon, openings: offered } = presets(now)
  expect(offered.map(fieldMinute)).toEqual(openings)
  expect(soon.getTime() - now.getTime()).toBe(60 * minuteMs)
})

test('the first and the last minute that can be chosen are taken by the gateway', () => {
  const now = new Date(2026, 5, 15, 12, 0, 30).getTime()
  const { from, until } = laterBounds(now)
  expect([fieldMinute(from), fieldMinute(until)]).toEqual(['2026-06-15T12:02', fieldMinute(new Date(now + 35 * dayMs))])
  expect(from.getTime() - now).toBeGreaterThanOrEqual(minuteMs)
  expect(until.getTime() - now).toBeLessThanOrEqual(35 * dayMs)
})
