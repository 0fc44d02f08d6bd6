import { expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { dayName, dayRanges, relativeTime, windowLeft } from '../../src/console/web/components/times.ts'

const now = new Date(2026, 5, 15, 12)

test.each<[leftMs: number, shown: string]>([
  [24 * hourMs, '24 h'],
  // The page's time of now is some seconds old.
  [24 * hourMs + 20_000, '24 h'],
  [24 * hourMs - minuteMs, '23 h'],
  [3 * hourMs, '3 h'],
  [3 * hourMs - minuteMs, '2 h 59 min'],
  [2 * hourMs + 1, '2 h 1 min'],
  [2 * hourMs, '2 h'],
  [hourMs - 1, '1 h'],
  [90_000, '2 min'],
  [1, '1 min'],
])('of a window are left %i ms: %s', (leftMs, shown) => {
  expect(windowLeft(new Date(now.getTime() + leftMs), now)).toBe(shown)
})

test.each<[agoMs: number, shown: RegExp]>([
  [-minuteMs, /^now$/],
  [-5 * minuteMs, /^in 5 min/],
  [-2 * dayMs, /^in 2 days$/],
  [-30 * dayMs, /^(Jul 15|15 Jul)$/],
  [59_000, /^now$/],
  [minuteMs, /^1 min/],
  [59 * minuteMs, /^59 min/],
  [hourMs, /^1 hr/],
  [23 * hourMs, /^23 hr/],
  [dayMs, /^yesterday$/],
  [3 * dayMs, /^3 days ago$/],
  [7 * dayMs, /^(Jun 8|8 Jun)$/],
  [365 * dayMs, /2025/],
])('a time %p ms ago is %p', (agoMs, shown) => {
  expect(relativeTime(new Date(now.getTime() - agoMs), now)).toMatch(shown)
})

test.each<[at: Date, shown: RegExp]>([
  [new Date(2026, 5, 15, 0, 0), /^Today$/],
  [new Date(2026, 5, 14, 23, 59), /^Yesterday$/],
  [new Date(2026, 5, 16, 0, 0), /^Tomorrow$/],
  [new Date(2026, 5, 17, 9, 0), /^Wednesday.* 17 June$/],
  [new Date(2026, 5, 13, 23), /^Saturday.* 13 June$/],
  [new Date(2025, 5, 15), /2025/],
])('the day of %p is %p', (at, shown) => {
  expect(dayName(at, now)).toMatch(shown)
})

test.each<[now: Date, yesterday: string, weekSince: string, lastMonth: [string, string]]>([
  [new Date(2026, 5, 15, 12), '2026-06-14', '2026-06-09', ['2026-05-01', '2026-05-31']],
  // The last second of a day, whose month before is shorter.
  [new Date(2028, 2, 31, 23, 59, 59), '2028-03-30', '2028-03-25', ['2028-02-01', '2028-02-29']],
  [new Date(2026, 0, 1), '2025-12-31', '2025-12-26', ['2025-12-01', '2025-12-31']],
])('the ranges of days at %p', (at, yesterday, weekSince, [first, last]) => {
  const { since: today } = dayRanges(at).today
  expect(dayRanges(at)).toEqual({
    today: { since: today, until: today },
    yesterday: { since: yesterday, until: yesterday },
    week: { since: weekSince, until: today },
    lastMonth: { since: first, until: last },
  })
  expect(new Date(`${today}T00:00`).getDate()).toBe(at.getDate())
})
