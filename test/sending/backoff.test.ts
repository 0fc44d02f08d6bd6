import { describe, expect, test } from 'bun:test'
import { Backoff, backoffRules } from '../../src/sending/backoff.ts'

const backoff = (scope: keyof typeof backoffRules, random = 1) => new Backoff(backoffRules[scope], () => random)

/** Hits it each time as soon as it is over. @returns the waits */
function waits(slowed: Backoff, hits: number, askedMs: number | null = null): number[] {
  let now = 1_000
  return Array.from({ length: hits }, () => {
    slowed.hit(now, askedMs)
    const waitMs = slowed.until - now
    now = slowed.until
    return waitMs
  })
}

describe('a backoff', () => {
  test.each([
    ['app', [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]],
    ['line', [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]],
    ['pair', [1_000, 4_000, 16_000, 64_000, 256_000, 600_000]],
    ['message', [500, 1_000, 2_000]],
  ] as const)('of the scope %s grows by its rule', (scope, expected) => {
    expect(waits(backoff(scope), expected.length)).toEqual([...expected])
  })

  test('makes half of the wait random, but for a recipient, whose wait the upstream advises', () => {
    expect([waits(backoff('line', 0), 2), waits(backoff('pair', 0), 2)]).toEqual([
      [500, 1_000],
      [1_000, 4_000],
    ])
  })

  test('waits as long as it is asked to; 0 is no answer', () => {
    expect([waits(backoff('line'), 2, 7_000), waits(backoff('line'), 2, 0)]).toEqual([
      [7_000, 7_000],
      [1_000, 2_000],
    ])
  })

  test('counts what comes while it waits as one, and is never made shorter', () => {
    const slowed = backoff('line')
    slowed.hit(1_000, 10_000)
    slowed.hit(1_001, null)
    expect([slowed.until, slowed.streak]).toEqual([11_000, 1])
  })

  test('begins anew once a message was taken, if that had not left before', () => {
    const slowed = backoff('line')
    slowed.hit(1_000, null)
    slowed.ease(1_500)
    expect(slowed.streak).toBe(1)
    slowed.ease(2_000)
    expect(slowed.streak).toBe(0)
  })

  test('a pause of our own makes no later wait longer', () => {
    const slowed = backoff('line')
    slowed.pause(1_200)
    slowed.hit(1_200, null)
    expect(slowed.until).toBe(2_200)
  })
})
