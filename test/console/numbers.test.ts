import { expect, test } from 'bun:test'
import { share, wholeOf } from '../../src/console/web/components/numbers.ts'

const bounds = { min: 1, max: 1_000_000 }

test.each<[typed: string, number: number]>([
  ['5000', 5_000],
  [' 5000 ', 5_000],
  ['12,000', 12_000],
  ['1,000,000', 1_000_000],
  ['1', 1],
])('%p is the whole number %p', (typed, number) => {
  expect(wholeOf(typed, bounds)).toBe(number)
})

test.each(['', '-5', '1.5', '2,5', '1,0000', ',100', '1e3', '0x10', 'many', '5 000', '0', '1000001', '99999999999'])(
  '%p is refused, and not corrected to what nobody has typed',
  typed => {
    expect(wholeOf(typed, bounds)).toBeNull()
  },
)

test.each<[part: number, of: number, shown: string]>([
  [0, 7, '0%'],
  [1, 1_000_000, '0.1%'],
  [984, 1_000, '98.4%'],
  [999_999, 1_000_000, '99.9%'],
  [7, 7, '100%'],
])('%p of %p are %p: rounding makes neither all nor nothing', (part, of, shown) => {
  expect(share(part / of)).toBe(shown)
})
