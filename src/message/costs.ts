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
  return [...rows.values()].sort((one, other) => other.billable - one.billable || other.free - one.free)
}

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

export interface Estimate {
  /** Each row with what it is estimated to cost; null: nothing in it is billable, or it has no rate. */
  readonly rows: readonly (CostRow & { readonly amount: number | null; readonly currency: string | null })[]
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
 */
export function estimateOf(rows: readonly CostRow[], rates: readonly Rate[]): Estimate {
  const byPlace = new Map(rates.map(rate => [`${rate.category} ${rate.country}`, rate]))
  const rateOf = ({ category, country }: CostRow) =>
    byPlace.get(`${category} ${country}`) ?? byPlace.get(`${category} ${anyCountry}`)
  const sums = new Map<string, number>()
  const priced = rows.map(row => {
    const rate = row.billable === 0 ? undefined : rateOf(row)
    if (!rate) return { ...row, amount: null, currency: null }
    const { price, currency } = rate
    sums.set(currency, (sums.get(currency) ?? 0) + price * row.billable)
    return { ...row, amount: rounded(price * row.billable), currency }
  })
  return {
    rows: priced,
    sums: [...sums].map(([currency, amount]) => ({ currency, amount: rounded(amount) })),
    withoutRate: rows.filter(row => row.billable > 0 && rateOf(row) === undefined),
  }
}
