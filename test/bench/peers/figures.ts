import { median } from '../report.ts'

/** What a run writes into one part of docs/speed.md. */
export interface Figures {
  /** The heading of the part. */
  readonly title: string
  /** How often, for how long, with what. */
  readonly how: readonly string[]
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Sentences below the table: first where we are behind. */
  readonly notes: readonly string[]
}

/** The middle half of what was measured. */
export interface Quarters {
  readonly low: number
  readonly median: number
  readonly high: number
}

export function quarters(values: readonly number[]): Quarters {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2)
    return below + (above - below) * (place - Math.floor(place))
  }
  return { low: at(0.25), median: median(values), high: at(0.75) }
}

/** @returns the ratio of each round of one to that of the other in the same turn */
export const ratios = (ours: readonly number[], theirs: readonly number[]): Quarters =>
  quarters(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)))

/** @returns whether the quarters lie closer together than the ratio is away from 1: else it is no figure */
export const isToldApart = ({ low, median, high }: Quarters): boolean => high - low <= Math.abs(median - 1)

export const shownRatio = (ratio: Quarters): string =>
  `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})${isToldApart(ratio) ? '' : ', not told apart'}`

export function shown({ low, median, high }: Quarters, digits: number): string {
  const text = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${text(median)} (${text(low)}–${text(high)})`
}
