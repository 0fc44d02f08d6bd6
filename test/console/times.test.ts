import { expect, setDefaultTimeout, test } from 'bun:test'
import { relativeTime } from '../../src/console/web/components/times.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

const now = new Date(2026, 5, 15, 12)
const minute = 60_000
const day = 1_440 * minute

test.each<[agoMs: number, shown: RegExp]>([
  [-minute, /^now$/],
  [-5 * minute, /^in 5 min/],
  [-2 * day, /^in 2 days$/],
  [-30 * day, /^(Jul 15|15 Jul)$/],
  [59_000, /^now$/],
  [minute, /^1 min/],
  [59 * minute, /^59 min/],
  [60 * minute, /^1 hr/],
  [23 * 60 * minute, /^23 hr/],
  [day, /^yesterday$/],
  [3 * day, /^3 days ago$/],
  [7 * day, /^(Jun 8|8 Jun)$/],
  [365 * day, /2025/],
])('a time %p ms ago is %p', (agoMs, shown) => {
  expect(relativeTime(new Date(now.getTime() - agoMs), now)).toMatch(shown)
})
