import type { SteadyMs } from '../clock.ts'

/** How long to wait after a "not now" that names no time: from the first wait to the longest, times `factor` each. */
interface Rule {
  readonly firstMs: number
  readonly factor: number
  readonly longestMs: number
  /** Half of the wait is drawn by lot, so that what failed together does not come back together. */
  readonly isSpread: boolean
}

/** A message that the upstream keeps putting off for this long is given up: what it says may be stale by then. */
export const messageMsMax = 600_000

const throttle: Rule = { firstMs: 1_000, factor: 2, longestMs: 60_000, isSpread: true }

/** One rule for each scope that a "not now" can have. */
export const backoffRules = {
  /** All lines of a channel share its account: what slows the account slows them all. */
  app: throttle,
  line: throttle,
  /** The upstream's own advice for a recipient that got too much: 4^X seconds, X = 0, 1, 2 … */
  pair: { firstMs: 1_000, factor: 4, longestMs: messageMsMax, isSpread: false },
  message: { firstMs: 500, factor: 2, longestMs: messageMsMax, isSpread: true },
} as const satisfies Record<string, Rule>

/**
 * The one way in which the upstream slows us down: nothing within the scope leaves until a time. Each "not now" that
 * follows another waits longer. One that comes while an earlier one is waited out had left before, and counts for nothing.
 */
export class Backoff {
  readonly #rule: Rule
  readonly #random: () => number
  #streak = 0
  #until: SteadyMs = 0

  /** @param random from 0 (included) to 1 */
  constructor(rule: Rule, random: () => number) {
    this.#rule = rule
    this.#random = random
  }

  /** Until when nothing may leave; over at the start. */
  get until(): SteadyMs {
    return this.#until
  }

  /** How many in a row. */
  get streak(): number {
    return this.#streak
  }

  /**
   * @param askedMs what the upstream asks for; null when it does not say. 0 is no answer either: taken at its word, it
   *   would make a storm.
   */
  hit(now: SteadyMs, askedMs: number | null): void {
    if (now >= this.#until) this.#streak += 1
    this.pause(now + (askedMs || this.#grownMs()))
  }

  /** For a reason of our own, which makes no later wait longer. */
  pause(until: SteadyMs): void {
    this.#until = Math.max(this.#until, until)
  }

  /** The upstream has taken a message. */
  ease(now: SteadyMs): void {
    if (now >= this.#until) this.#streak = 0
  }

  /** The message that was put off is given up: the next one starts anew. */
  reset(): void {
    this.#streak = 0
  }

  #grownMs(): number {
    const { firstMs, factor, longestMs, isSpread } = this.#rule
    const waitMs = Math.min(firstMs * factor ** (this.#streak - 1), longestMs)
    return isSpread ? waitMs / 2 + (waitMs / 2) * this.#random() : waitMs
  }
}
