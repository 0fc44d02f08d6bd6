import { describe, expect, test } from 'bun:test'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { nextAttemptAt } from '../../src/webhooks/schedule.ts'

const endedAt = Date.UTC(2026, 0, 1)
const waits = [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs]
const waitAfter = (step: number, fields: { random?: number; retryAfter?: string } = {}) => {
  const at = nextAttemptAt({ step, endedAt, retryAfter: null, random: 0.5, ...fields })
  return at === null ? null : at - endedAt
}

test('ten attempts, each so long after the one before', () => {
  expect([...waits, 24 * hourMs].map((_, step) => waitAfter(step))).toEqual([...waits, 24 * hourMs])
  expect([waitAfter(9), waitAfter(30)]).toEqual([null, null])
})

test('chance moves each by a fifth, to both sides', () => {
  expect([waitAfter(1, { random: 0 }), waitAfter(1, { random: 0.999_999_999 })]).toEqual([4 * minuteMs, 6 * minuteMs])
})

describe('Retry-After', () => {
  test.each([
    ['less than the wait', '10', 5 * minuteMs],
    ['more than the wait, in seconds', '400', 400_000],
    ['more than twice the wait', '86400', 10 * minuteMs],
    ['a date', new Date(endedAt + 400_000).toUTCString(), 400_000],
    ['a date that is over', new Date(endedAt - 400_000).toUTCString(), 5 * minuteMs],
    ['no time at all', 'soon', 5 * minuteMs],
    ['a negative number', '-5', 5 * minuteMs],
    ['a number beyond every clock', '99999999999999999999', 5 * minuteMs],
  ])('that asks for %s', (_, retryAfter, waited) => expect(waitAfter(1, { retryAfter })).toBe(waited))

  test('never lengthens a wait beyond twice the usual, whatever chance says', () =>
    expect(waitAfter(1, { retryAfter: '86400', random: 0.999_999 })).toBe(10 * minuteMs))
})
