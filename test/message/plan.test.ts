import { describe, expect, test } from 'bun:test'
import { monthEnd, monthOf } from '../../src/message/plan.ts'

describe('the month of the plan, in UTC', () => {
  test.each([
    ['2026-01-01T00:00:00.000Z', '2026-01', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01T00:00:00.000Z'],
    ['2024-02-29T12:00:00.000Z', '2024-02', '2024-03-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ])('%s counts for %s, which ends at %s', (at, month, end) => {
    expect(monthOf(Date.parse(at))).toBe(month)
    expect(new Date(monthEnd(Date.parse(at))).toISOString()).toBe(end)
  })

  test('the end of a month is the first moment of the next one', () => {
    const at = Date.UTC(2026, 9, 15)
    expect(monthOf(monthEnd(at) - 1)).toBe('2026-10')
    expect(monthOf(monthEnd(at))).toBe('2026-11')
  })
})
