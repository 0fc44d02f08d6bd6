import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

// Not by a static import: browser code is type-checked by itself.
const { roundTicks } = await import(resolve(import.meta.dir, '../../src/console/web/components/DayBars.tsx'))

test.each<[largest: number, ticks: number[]]>([
  [0, [0, 1]],
  [1, [0, 1, 2]],
  [4, [0, 1, 2, 3, 4, 5]],
  [5, [0, 2, 4, 6]],
  [1_000, [0, 500, 1_000, 1_500]],
  [1_234, [0, 500, 1_000, 1_500]],
  [4_535, [0, 1_000, 2_000, 3_000, 4_000, 5_000]],
  [987_654, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])('the lines of a chart up to %p are round, and the highest is above', (largest, ticks) => {
  expect(roundTicks(largest)).toEqual(ticks)
})
