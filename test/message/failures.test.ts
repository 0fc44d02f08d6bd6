import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Failure, type Failures, failureOf, lastFailure, withFailure } from '../../src/message/failures.ts'

const told = (failures: readonly Failure[]): Failures | null => failures.reduce<Failures | null>(withFailure, null)

/** More attempts than are kept, and few times, so that equal ones come up. */
const failure: fc.Arbitrary<Failure> = fc.record({
  id: fc.integer({ min: 1, max: 40 }).map(number => `wamid.${number}`),
  at: fc.integer({ min: 0, max: 30 }),
  reason: fc.constantFrom(null, '', '131026: undeliverable', '131049: held back'),
})

describe('the failures of a message', () => {
  test('each attempt has its own, whatever the others report', () => {
    const failures = told([
      { id: 'a', at: 1, reason: 'overloaded' },
      { id: 'b', at: 1, reason: 'undeliverable' },
      { id: 'c', at: 2, reason: null },
    ])
    expect(failureOf(failures, 'a')).toEqual({ id: 'a', at: 1, reason: 'overloaded' })
    expect(failureOf(failures, 'b')).toEqual({ id: 'b', at: 1, reason: 'undeliverable' })
    expect(lastFailure(failures)).toEqual({ id: 'c', at: 2, reason: null })
  })

  test('none is known at first, and none of another attempt', () => {
    expect([failureOf(null, 'a'), lastFailure(null)]).toEqual([undefined, undefined])
    expect(failureOf(told([{ id: 'a', at: 1, reason: null }]), 'b')).toBeUndefined()
    expect(failureOf(told([{ id: 'a', at: 1, reason: null }]), null)).toBeUndefined()
  })

  test('any order and any number of times make the same text, however many attempts there are', () => {
    const tellings = fc.array(failure, { maxLength: 60 }).chain(all => {
      const telling = fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })
      return fc.tuple(telling, telling)
    })
    fc.assert(
      fc.property(tellings, ([one, other]) => {
        expect(told(one)).toBe(told(other))
      }),
      { numRuns: 500 },
    )
  })

  test('of an attempt the last one counts; at the same time one with a reason does', () => {
    fc.assert(
      fc.property(fc.array(failure, { minLength: 1, maxLength: 15 }), all => {
        for (const { id } of all) {
          const own = all.filter(other => other.id === id)
          expect(failureOf(told(all), id)?.at).toBe(Math.max(...own.map(({ at }) => at)))
        }
      }),
    )
    const both: Failure[] = [
      { id: 'a', at: 1, reason: null },
      { id: 'a', at: 1, reason: 'overloaded' },
    ]
    for (const order of [both, both.toReversed()]) expect(failureOf(told(order), 'a')?.reason).toBe('overloaded')
  })

  test('the last 16 attempts are kept, so that a row does not grow without bound', () => {
    const all = Array.from({ length: 40 }, (_, at) => ({ id: `wamid.${at}`, at, reason: 'overloaded' }))
    const failures = told(all)
    expect(all.filter(({ id }) => failureOf(failures, id)).map(({ at }) => at)).toEqual(
      Array.from({ length: 16 }, (_, index) => 24 + index),
    )
  })
})
