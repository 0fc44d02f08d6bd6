import { csvRecords, quoteWords } from '../base/csvRecords.ts'
import { anyCountry, type Rate } from '../message/costs.ts'
import { priceCategories } from '../message/pricing.ts'

/** The columns of a file of rates; their order is free, and others are ignored. */
const columns = ['country', 'category', 'price', 'currency'] as const
/** Named in the message; the others follow from correcting these. */
const problemsMax = 5

/** What a file of rates says, or a sentence on what is wrong with it. */
export type ReadRates =
  | { readonly rates: readonly Rate[]; readonly problem: null }
  | { readonly rates: null; readonly problem: string }

const wrong = (problem: string): ReadRates => ({ rates: null, problem })

/** Reads a table of rates (CSV, with the separator of its first line). Rows are told as spreadsheets count them. */
export function readRates(text: string): ReadRates {
  const [header, ...data] = csvRecords(text)
  const names = (header?.cells ?? []).map(name => name.trim().toLowerCase())
  const missing = columns.filter(name => !names.includes(name))
  if (missing.length > 0) {
    return wrong(
      `The first line of the rates must name the columns ${columns.join(', ')}; missing: ${missing.join(', ')}`,
    )
  }
  const rates: Rate[] = []
  const places = new Set<string>()
  const problems: string[] = []
  for (const { row, cells, problem } of data) {
    // What stands in a cell that goes on too far, as the rows behind it, would be left out without a word.
    const rate = problem ? quoteWords[problem] : rateOf(name => cells[names.indexOf(name)] ?? '')
    const place = typeof rate === 'string' ? null : `${rate.category} ${rate.country}`
    if (typeof rate === 'string') problems.push(`row ${row}: ${rate}`)
    else if (place !== null && places.has(place)) problems.push(`row ${row}: ${place} has a rate already`)
    else rates.push(rate)
    if (place !== null) places.add(place)
  }
  if (problems.length > 0) {
    const more = problems.length > problemsMax ? `; and ${problems.length - problemsMax} more` : ''
    return wrong(`The rates are wrong: ${problems.slice(0, problemsMax).join('; ')}${more}`)
  }
  return rates.length === 0 ? wrong('The file of rates has no rows below its first line') : { rates, problem: null }
}

/** @returns the rate of a row, or what is wrong with it */
function rateOf(cellOf: (name: (typeof columns)[number]) => string): Rate | string {
  const cell = (name: (typeof columns)[number]) => cellOf(name).trim()
  const [country, currency, price] = [cell('country').toUpperCase(), cell('currency').toUpperCase(), cell('price')]
  const category = priceCategories.find(known => known === cell('category').toLowerCase())
  if (country !== anyCountry && !/^[A-Z]{2}$/.test(country)) {
    return `the country must have two letters, as in DE, or be ${anyCountry} for all others`
  }
  if (!category) return `the category must be one of ${priceCategories.join(', ')}`
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(price)) return 'the price must be a number with a point, as in 0.0456'
  if (!/^[A-Z]{3}$/.test(currency)) return 'the currency must have three letters, as in EUR'
  return { country, category, price: Number(price), currency }
}
