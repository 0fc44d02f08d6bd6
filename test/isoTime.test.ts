import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isoTime, isoTimeOrNull } from '../src/isoTime.ts'

/** The furthest that a Date reaches, in either direction. */
const furthest = 8_640_000_000_000_000

test('writes every time as Date does, whatever was written before', () => {
  const times = fc.integer({ min: -furthest, max: furthest })
  fc.assert(
    fc.property(times, fc.nat({ max: 200_000_000 }), (at, later) => {
      for (const time of [at, Math.min(at + later, furthest)]) {
        expect(isoTime(time)).toBe(new Date(time).toISOString())
      }
    }),
  )
})

test.each([
  0,
  -1,
  1,
  86_399_999,
  86_400_000,
  951_782_400_000,
  1_772_357_400_412,
  253_402_300_800_000,
  furthest,
  -furthest,
])('at the edges: %d', at => {
  expect(isoTime(at)).toBe(new Date(at).toISOString())
})

test('what is no time is refused, as Date does, and spoils nothing that comes after it', () => {
  for (const none of [Number.NaN, 2 * furthest, Number.POSITIVE_INFINITY])
    expect(() => isoTime(none)).toThrow(RangeError)
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
})

test('what has not happened stays null', () => {
  expect(isoTimeOrNull(null)).toBeNull()
  expect(isoTimeOrNull(412)).toBe('1970-01-01T00:00:00.412Z')
})
