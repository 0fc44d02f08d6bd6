import type { SteadyMs } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'

/**
 * How long to wait after a "not now" without a time: `firstMs`, then `factor` times longer each time, up to
 * `longestMs`.
 */
interface Rule {
  readonly firstMs: number
  readonly factor: number
  readonly longestMs: number
  /** Half of the wait is random, so that messages that failed together are not retried together. */
  readonly isSpread: boolean
}

/** A message that the upstream has put off for this long is given up: its content may be out of date by then. */
export const messageMsMax = 10 * minuteMs

const throttle: Rule = { firstMs: 1_000, factor: 2, longestMs: minuteMs, isSpread: true }

/** One rule for each scope that a "not now" can have. */
export const backoffRules = {
  /** All lines of a channel share its account, and so its throttling. */
  app: throttle,
  line: throttle,
  /** The upstream's own advice for a recipient that got too much: 4^X seconds, X = 0, 1, 2 … */
  pair: { firstMs: 1_000, factor: 4, longestMs: messageMsMax, isSpread: false },
  message: { firstMs: 500, factor: 2, longestMs: messageMsMax, isSpread: true },
} as const satisfies Record<string, Rule>

/**
 * The backoff of one scope: nothing in it leaves until a time. Each further "not now" makes the wait longer. One that
 * comes during a wait belongs to a message that left before the wait, and does not count.
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

  /** Nothing may leave before this time. In the past at the start. */
  get until(): SteadyMs {
    return this.#until
  }

  /** How many in a row. */
  get streak(): number {
    return this.#streak
  }

  /**
   * @param askedMs what the upstream asks for; null when it does not say. 0 counts as null: retries without a wait
   *   would flood the upstream
   */
  hit(now: SteadyMs, askedMs: number | null): void {
    if (now >= this.#until) this.#streak += 1
    this.pause(now + (askedMs || this.#grownMs()))
  }

  /** Waits for a reason of our own. Later waits do not become longer. */
  pause(until: SteadyMs): void {
    this.#until = Math.max(this.#until, until)
  }

  /** The upstream has taken a message. */
  ease(now: SteadyMs): void {
    if (now >= this.#until) this.#streak = 0
  }

  /** The message that was put off is given up. The next one begins with the first wait. */
  reset(): void {
    this.#streak = 0
  }

  #grownMs(): number {
    const { firstMs, factor, longestMs, isSpread } = this.#rule
    const waitMs = Math.min(firstMs * factor ** (this.#streak - 1), longestMs)
    return isSpread ? waitMs / 2 + (waitMs / 2) * this.#random() : waitMs
  }
}
