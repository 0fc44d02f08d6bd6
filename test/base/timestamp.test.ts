import { expect, test } from 'bun:test'
import { timestamp } from '../../src/base/json.ts'

test.each<[value: unknown, ms: number | null]>([
  ['1767225600', Date.UTC(2026, 0, 1)],
  [1767225600, Date.UTC(2026, 0, 1)],
  [0, 0],
  ['253402300799', Date.UTC(9999, 11, 31, 23, 59, 59)],
  // A later year has five digits, which no `date-time` has; these would be milliseconds of 2026.
  ['253402300800', null],
  [1767225600000, null],
  [8640000000000, null],
  [-1, null],
  ['-1', null],
  ['', null],
  ['1e3', null],
  ['soon', null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [null, null],
  [['1'], null],
])('%j is %p', (value, ms) => {
  expect(timestamp(value)).toBe(ms)
})
