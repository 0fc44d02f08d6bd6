import { expect, test } from 'bun:test'
import { costRows, estimateOf, estimateOfAll, type Rate } from '../../src/message/costs.ts'
import type { PriceCount } from '../../src/message/counts.ts'

const count = (day: number, fields: Partial<PriceCount>): PriceCount => ({
  ...{ day: `2026-01-0${day}`, category: 'utility', country: 'DE', billable: true, count: 1 },
  ...fields,
})
const counts = [
  count(1, { count: 2 }),
  count(2, { count: 3 }),
  count(2, { billable: false, count: 4 }),
  count(3, { country: 'FR', count: 10 }),
  count(3, { category: 'service', country: null, billable: false }),
]

test('the counts of all days are one row for each category and country, most charged first', () => {
  expect(costRows(counts)).toEqual([
    { category: 'utility', country: 'FR', billable: 10, free: 0 },
    { category: 'utility', country: 'DE', billable: 5, free: 4 },
    { category: 'service', country: null, billable: 0, free: 1 },
  ])
})

test('an estimate takes the rate of the country before that of all, sums each currency, and names what has no rate', () => {
  const rates: Rate[] = [
    { country: '*', category: 'utility', price: 0.1, currency: 'USD' },
    { country: 'DE', category: 'utility', price: 0.07, currency: 'EUR' },
  ]
  const [all, own] = rates
  expect(estimateOf(costRows(counts), rates)).toMatchObject({
    rows: [
      { country: 'FR', amount: 1, currency: all?.currency },
      // Not 0.35000000000000003.
      { country: 'DE', amount: 0.35, currency: own?.currency },
      { category: 'service', amount: null, currency: null },
    ],
    sums: [
      { currency: 'USD', amount: 1 },
      { currency: 'EUR', amount: 0.35 },
    ],
    withoutRate: [],
  })
  const withoutAll = estimateOf(costRows(counts), rates.slice(1))
  expect(withoutAll.withoutRate).toEqual([{ category: 'utility', country: 'FR', billable: 10, free: 0 }])
  expect(withoutAll.sums).toEqual([{ currency: 'EUR', amount: 0.35 }])
})

test('of several estimates a place and currency is one row, with what is free there', () => {
  const rate = { country: 'DE', category: 'utility', price: 0.05, currency: 'EUR' } as const
  const of = (given: readonly PriceCount[], rates: readonly Rate[]) => estimateOf(costRows(given), rates)
  const free = of([count(1, { billable: false, count: 4 })], [rate])
  const cheap = of([count(1, { count: 2 })], [rate])
  const dear = of([count(1, { count: 2, billable: true }), count(1, { billable: false })], [{ ...rate, price: 0.06 }])
  expect(estimateOfAll([free, cheap, dear])).toEqual({
    rows: [{ category: 'utility', country: 'DE', billable: 4, free: 5, amount: 0.22, currency: 'EUR' }],
    sums: [{ currency: 'EUR', amount: 0.22 }],
    withoutRate: [],
  })
  const other = of([count(1, { count: 1 })], [{ ...rate, currency: 'USD' }])
  expect(estimateOfAll([cheap, other, of([count(1, { count: 3 })], [])])).toMatchObject({
    rows: [
      { billable: 3, amount: null },
      { billable: 2, currency: 'EUR' },
      { billable: 1, currency: 'USD' },
    ],
    withoutRate: [{ billable: 3 }],
  })
})
