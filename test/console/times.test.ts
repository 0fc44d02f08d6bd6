import { expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { relativeTime } from '../../src/console/web/components/times.ts'

const now = new Date(2026, 5, 15, 12)

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
