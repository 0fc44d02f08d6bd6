import type { Row } from './report.ts'

/** What one side came to in one round. */
export interface Sample {
  readonly perSecond: number
  /** The median request, in milliseconds. */
  readonly medianMs: number
  readonly p99Ms: number
  /** The processor time of a request, where it can be told. */
  readonly cpuUs?: number
}

export interface Round {
  /** Counted over the whole run, so that no two rounds send the same messages. */
  readonly number: number
  readonly seconds: number
}

/** One side of a comparison. */
export interface Side {
  /** @throws Error when the side was fast, but did not do what was asked for */
  measure(round: Round): Promise<Sample>
}

/** What is compared of two sides, with the mark of the issue: a row each. Null: shown without a mark. */
export type Figure =
  /** What was done a second, as a ratio. */
  | { readonly kind: 'throughput'; readonly least: number | null }
  /** What the gateway adds to the median request. */
  | { readonly kind: 'addedMs'; readonly most: number | null }
  /** The median request, in milliseconds. */
  | { readonly kind: 'medianMs'; readonly most: number }
  /** The 99th percentile of the time a request takes, as a ratio. */
  | { readonly kind: 'p99'; readonly most: number }
  /** The processor time of a request, as a ratio. */
  | { readonly kind: 'cpu' }

/** What the gateway is compared with. */
export interface Baseline {
  /** Stands behind what is compared, where there are several: "against …". */
  readonly name?: string
  readonly side: Side
  readonly figures: readonly Figure[]
}

/** One comparison. */
export interface Scenario {
  readonly what: string
  readonly connections: number
  readonly baselines: readonly Baseline[]
  readonly gateway: Side
  /** How many times as long as others its rounds are; once when absent. */
  readonly stretch?: number
  /** How long its sides are warmed up at most: shorter than usual where others have warmed them up already. */
  readonly warmUpSecondsMax?: number
}

export interface Pace {
  /** One round of each side in which both compile what is hot. */
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly rounds: number
}

/** Something that is measured: a comparison, or a measure of the gateway alone. */
export interface Benchmark {
  /** For whoever watches the run. */
  readonly title: string
  run(pace: Pace): Promise<readonly Row[]>
}
