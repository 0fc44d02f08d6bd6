import type { Clock, EpochMs } from './clock.ts'
import { minuteMs } from './durations.ts'

/** docs/partner-api.md#rate-limits: both limits count over 15 minutes. Windows are aligned to the clock. */
export const rateWindowMs = 15 * minuteMs

export const windowStart = (at: EpochMs): EpochMs => at - (at % rateWindowMs)

/** The current window. Its counts are cleared at the first request of the next one. */
export class FixedWindow {
  readonly #clock: Pick<Clock, 'now'>
  readonly #forget: () => void
  #startsAt: EpochMs

  /** @param forget clears what was counted */
  constructor(clock: Pick<Clock, 'now'>, forget: () => void) {
    this.#clock = clock
    this.#forget = forget
    this.#startsAt = windowStart(clock.now())
  }

  /** Call it before each look at the counts. @returns when the current window started */
  advance(): EpochMs {
    const startsAt = windowStart(this.#clock.now())
    if (startsAt !== this.#startsAt) {
      this.#startsAt = startsAt
      this.#forget()
    }
    return startsAt
  }

  get endsInMs(): number {
    return this.advance() + rateWindowMs - this.#clock.now()
  }
}

/**
 * The limits of the networks around an address, as multiples of the limit of an address: four for an IPv6 /56, sixteen
 * for a /48. So the owner of a whole network cannot multiply the limit by its size, and neighbours rarely reach it.
 */
const networkShares = [1, 4, 16] as const

/** @returns the limits of the networks of one address, the narrowest first, when an address has this limit */
export const networkLimits = (networks: readonly string[], limit: number): number[] =>
  networks.map((_, at) => limit * (networkShares[at] ?? 1))

/** What the counts of a request say about it. */
export interface Verdict {
  readonly admitted: boolean
  /** Which of the counts has the least left: the first of them, when several have equally much left. */
  readonly tightest: number
  /** The limit of that count, and what is left of it after the request. */
  readonly limit: number
  readonly remaining: number
}

/**
 * The rule of both limits. An admitted request is to be counted in all of its counts, and a refused one in none.
 * @param counts of the request in this window
 * @param limits of the counts, in their order
 */
export function judge(counts: readonly number[], limits: readonly number[]): Verdict {
  let tightest = 0
  let left = Number.POSITIVE_INFINITY
  for (let at = 0; at < counts.length; at += 1) {
    const leftHere = (limits[at] ?? 0) - (counts[at] ?? 0)
    if (leftHere >= left) continue
    tightest = at
    left = leftHere
  }
  return { admitted: left > 0, tightest, limit: limits[tightest] ?? 0, remaining: Math.max(0, left - 1) }
}
