import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { minuteMs } from '../../src/base/durations.ts'
import { judge, networkLimits, rateWindowMs, windowStart } from '../../src/base/rateLimits.ts'

test('a window is 15 minutes, and begins with the quarters of an hour', () => {
  expect(rateWindowMs).toBe(15 * minuteMs)
  expect(windowStart(Date.UTC(2026, 0, 31, 12, 29, 59, 999))).toBe(Date.UTC(2026, 0, 31, 12, 15))
  expect(windowStart(Date.UTC(2026, 0, 31, 12, 30))).toBe(Date.UTC(2026, 0, 31, 12, 30))
})

test('a /56 has four times the limit of an address, a /48 sixteen times', () => {
  expect(networkLimits(['203.0.113.9'], 100)).toEqual([100])
  expect(networkLimits(['2001:db8::/64', '2001:db8::/56', '2001:db8::/48'], 100)).toEqual([100, 400, 1_600])
})

test('a request is admitted when each of its counts has one left, and told of the one that has the least', () => {
  expect(judge([0], [2])).toEqual({ admitted: true, tightest: 0, limit: 2, remaining: 1 })
  expect(judge([1, 7, 0], [2, 8, 32])).toEqual({ admitted: true, tightest: 0, limit: 2, remaining: 0 })
  expect(judge([0, 7, 0], [2, 8, 32])).toEqual({ admitted: true, tightest: 1, limit: 8, remaining: 0 })
  expect(judge([0, 8, 0], [2, 8, 32])).toEqual({ admitted: false, tightest: 1, limit: 8, remaining: 0 })
  expect(judge([5], [2])).toEqual({ admitted: false, tightest: 0, limit: 2, remaining: 0 })
})

test('no order of requests brings a count above its limit, and none is refused while all have one left', () => {
  const requests = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 }), requests, (limits, all) => {
      const counts = [0, 0, 0, 0]
      for (const subjects of all) {
        const counted = (values: readonly number[]) => subjects.map(subject => values[subject] ?? 0)
        const { admitted } = judge(counted(counts), counted(limits))
        expect(admitted).toBe(subjects.every(subject => (counts[subject] ?? 0) < (limits[subject] ?? 0)))
        if (admitted) for (const subject of subjects) counts[subject] = (counts[subject] ?? 0) + 1
      }
      expect(counts.every((count, subject) => count <= (limits[subject] ?? 0))).toBe(true)
    }),
  )
})
