import { promises } from './promises.ts'

/*
 * What the gateway counts, as plain numbers: counting costs one addition, even when nobody reads the metrics.
 * `src/monitoring/` turns them into metrics when they are asked for.
 */

/** The values of several labels in one key. No label value has this character. */
const separator = '/'

/** Counts by the values of labels. Only values from a fixed list may be given: each one is kept for good. */
export class Counter {
  readonly #counts: Map<string, number>

  /**
   * @param known label values that are shown from the start: Prometheus sees no increase in the first count of a new
   * series
   */
  constructor(...known: readonly string[]) {
    this.#counts = new Map(known.map(labels => [labels, 0]))
  }

  /** @param labels the value of its label; of several labels, `one/other` */
  add(labels: string, by = 1): void {
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + by)
  }

  /** @returns each combination of label values with its count. */
  read(): { readonly values: readonly string[]; readonly count: number }[] {
    return [...this.#counts].map(([key, count]) => ({ values: key.split(separator), count }))
  }
}

/** How many values lie in each bucket. Plain data, so that threads can send it to each other. */
export interface Distribution {
  /** The upper ends of the buckets, rising. Values above the last one are counted after them. */
  readonly bounds: readonly number[]
  /** One more than there are bounds. Not cumulative. */
  readonly counts: readonly number[]
  readonly sum: number
}

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** @param bounds rising */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const found = this.#bounds.findIndex(bound => value <= bound)
    const at = found === -1 ? this.#bounds.length : found
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  read(): Distribution {
    return { bounds: this.#bounds, counts: [...this.#counts], sum: this.#sum }
  }
}

/** What a thread has measured of itself, by name. */
export type Measures = Readonly<Record<string, Distribution>>

/** From half a millisecond, which is a fast commit, to half an hour, which is a long wait for a line. */
const stageBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800,
] as const

/**
 * The parts of a send's time: storing it, waiting for its turn (again after a "not now"), each attempt upstream, and
 * storing the answer.
 */
export const stages = ['accept', 'wait', 'upstream', 'settle'] as const
export type Stage = (typeof stages)[number]

/** The counts of one gateway. */
export class Metrics {
  /** `outcome/code`: `accepted`, `refused` or `unknown`, and the upstream's code. */
  readonly sends = new Counter('accepted/none', 'unknown/none')
  /** `result/code` of each attempt, those that are tried again too. */
  readonly attempts = new Counter('accepted/none', 'lost/none', 'not_now/unreachable')
  /** In seconds. */
  readonly stages: Readonly<Record<Stage, Histogram>> = {
    accept: new Histogram(stageBounds),
    wait: new Histogram(stageBounds),
    upstream: new Histogram(stageBounds),
    settle: new Histogram(stageBounds),
  }
  /** Requests to the partner API by their answer: `ok`, or the error's code. */
  readonly requests = new Counter('ok', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE')
  /** `address`, `key` or `docs`: the limit that was reached. */
  readonly rateLimitRefusals = new Counter('address', 'key', 'docs')
  /** Callbacks by result. */
  readonly callbacks = new Counter('stored', 'unsigned', 'wrong_signature', 'not_read', 'unreadable', 'not_stored')
  /** Attempts to deliver an event, by result. */
  readonly deliveries = new Counter('delivered', 'refused', 'unanswered')
  /** Status updates in callbacks, by result. */
  readonly statuses = new Counter('applied', 'parked')
  /** `category/country/billable` of each report that a message is delivered, where it names a price. */
  readonly pricedDeliveries = new Counter()
  /** Promises that did not hold, each time that it was noticed. */
  readonly brokenPromises = new Counter(...Object.keys(promises))
  /** Attempts to fetch a file of a user, and to remove one that could not be removed, by result. */
  readonly files = new Counter('stored', 'retried', 'failed', 'expired')
}
