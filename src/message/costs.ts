import type { PriceCount } from './counts.ts'
import type { PriceCategory } from './pricing.ts'

/*
 * What messages cost, as far as it is known: the platform names no amounts. So counts are made an estimate only with
 * rates that somebody gives.
 */

/** Messages of one category to one country. */
export interface CostRow {
  readonly category: PriceCategory
  /** ISO 3166-1; null: the recipient's number tells none. */
  readonly country: string | null
  readonly billable: number
  /** Delivered, and by the platform's word not charged. */
  readonly free: number
}

/** @returns the counts by category and country, most billable ones first */
export function costRows(counts: readonly PriceCount[]): CostRow[] {
  const rows = new Map<string, CostRow>()
  for (const { category, country, billable, count } of counts) {
    const key = `${category} ${country}`
    const row = rows.get(key) ?? { category, country, billable: 0, free: 0 }
    rows.set(key, billable ? { ...row, billable: row.billable + count } : { ...row, free: row.free + count })
  }
  return [...rows.values()].sort(mostFirst)
}

const mostFirst = (one: CostRow, other: CostRow) => other.billable - one.billable || other.free - one.free

/** Stands for every country that no other rate of the category names, and for recipients of none. */
export const anyCountry = '*'

/** What one billable message costs. */
export interface Rate {
  /** ISO 3166-1, or `anyCountry`. */
  readonly country: string
  readonly category: PriceCategory
  readonly price: number
  /** ISO 4217. */
  readonly currency: string
}

/** What a row is estimated to cost; null: nothing in it is billable, or it has no rate. */
export interface PricedRow extends CostRow {
  readonly amount: number | null
  readonly currency: string | null
}

export interface Estimate {
  readonly rows: readonly PricedRow[]
  /** Of each currency. */
  readonly sums: readonly { readonly currency: string; readonly amount: number }[]
  /** Billable, and without a rate: in no sum. */
  readonly withoutRate: readonly CostRow[]
}

/** Beyond what any price list has; it drops what adding binary fractions leaves. */
const decimals = 6
const rounded = (amount: number) => Number(amount.toFixed(decimals))

/**
 * What messages would cost at these rates. An estimate: what the platform gives away by the month is not known here.
 * @param rates null: there are none
 */
export function estimateOf(rows: readonly CostRow[], rates: readonly Rate[] | null): Estimate {
  const byPlace = new Map(rates?.map(rate => [`${rate.category} ${rate.country}`, rate]))
  const rateOf = ({ category, country }: CostRow) =>
    byPlace.get(`${category} ${country}`) ?? byPlace.get(`${category} ${anyCountry}`)
  const priced = rows.map(row => {
    const rate = row.billable === 0 ? undefined : rateOf(row)
    if (!rate) return { ...row, amount: null, currency: null }
    return { ...row, amount: rounded(rate.price * row.billable), currency: rate.currency }
  })
  return estimateOfRows(priced)
}

/** Of several estimates at rates of their own: a row of the same place and currency is one. */
export function estimateOfAll(estimates: readonly Estimate[]): Estimate {
  const all = estimates.flatMap(({ rows }) => rows)
  const placeOf = ({ category, country }: CostRow) => `${category} ${country}`
  // What is free has no currency: it stands with what is charged at its place.
  const currencies = new Map(all.flatMap(row => (row.billable > 0 ? [[placeOf(row), row.currency] as const] : [])))
  const currencyOf = (row: PricedRow) => (row.billable > 0 ? row.currency : (currencies.get(placeOf(row)) ?? null))
  const rows = Map.groupBy(all, row => `${placeOf(row)} ${currencyOf(row)}`)
  const added = [...rows.values()].flatMap(of => {
    const first = of.find(({ billable }) => billable > 0) ?? of[0]
    const sum = (field: 'billable' | 'free' | 'amount') => of.reduce((total, row) => total + (row[field] ?? 0), 0)
    const amount = first?.amount === null ? null : rounded(sum('amount'))
    return first ? [{ ...first, billable: sum('billable'), free: sum('free'), amount }] : []
  })
  return estimateOfRows(added.sort(mostFirst))
}

function estimateOfRows(rows: readonly PricedRow[]): Estimate {
  const sums = new Map<string, number>()
  for (const { amount, currency } of rows) {
    if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + (amount ?? 0))
  }
  return {
    rows,
    sums: [...sums].map(([currency, amount]) => ({ currency, amount: rounded(amount) })),
    withoutRate: rows.flatMap(({ amount, currency: _, ...row }) => (row.billable > 0 && amount === null ? [row] : [])),
  }
}
