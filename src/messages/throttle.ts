import type { SteadyMs } from '../clock.ts'

/** First wait after a throttle that names no time; it doubles up to the last. */
const throttleMsMin = 1_000
const throttleMsMax = 60_000

/**
 * The throttles of one line, or of an account with all its lines: each that follows another is waited out for longer.
 * What comes while one is waited out had left before it was known, and counts for nothing.
 */
export class Throttle {
  #streak = 0
  #until: SteadyMs = 0

  /** Until when nothing may leave; over at the start. */
  get until(): SteadyMs {
    return this.#until
  }

  /**
   * @param askedMs what the upstream asks for; null when it does not say. 0 is no answer either: taken at its word, it
   *   would make a storm.
   * @param random from 0 (included) to 1
   * @returns until when nothing may leave
   */
  hit(now: SteadyMs, askedMs: number | null, random: () => number): SteadyMs {
    if (now >= this.#until) this.#streak += 1
    const grownMs = Math.min(throttleMsMin * 2 ** (this.#streak - 1), throttleMsMax)
    this.#until = Math.max(this.#until, now + (askedMs || jitter(grownMs, random)))
    return this.#until
  }

  /** The upstream has taken a message. */
  ease(now: SteadyMs): void {
    if (now >= this.#until) this.#streak = 0
  }
}

/** Half of the wait is drawn by lot, so that what failed together does not come back together. */
export const jitter = (waitMs: number, random: () => number): number => waitMs / 2 + (waitMs / 2) * random()
