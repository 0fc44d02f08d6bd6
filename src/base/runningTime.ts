/** As `Clock` has them, which is made of this: milliseconds since 1970, and since some moment. */
interface Times {
  now(): number
  steady(): number
}

/**
 * Beyond this an operator has to correct a clock. Synchronised machines differ by milliseconds; the rest allows for a
 * database that takes seconds to answer, because its time is only as exact as that.
 */
export const clockDifferenceMsMax = 5_000

/** A change of the time that is no drift: somebody set the clock, or the machine slept. */
export interface ClockJump {
  /** The time after it. */
  readonly at: number
  /** Positive: ahead. */
  readonly byMs: number
}

/** From some moment on, the time was the steady clock plus this. */
interface Stretch {
  readonly from: number
  readonly aheadMs: number
}

/** A clock that is corrected in small steps drifts by half a second in a quarter of an hour at most. */
const driftMsMax = 1_000
/** Those of a clock that drifts all the time for a hundred days, longer than nearly everything is kept. */
const stretchesMax = 10_000
/** Of them the last are told: somebody may set a clock in a loop. */
const jumpsMax = 100

/**
 * Knows how long something has really been there, although the time jumps: it compares the time with the steady clock
 * whenever it is asked. It knows nothing of before its first look, where it takes the time as it is.
 */
export class RunningTime {
  readonly #clock: Times
  readonly #stretches: Stretch[]
  /** At the last look. */
  #aheadMs: number
  #jumps: readonly ClockJump[] = []

  constructor(clock: Times) {
    this.#clock = clock
    this.#aheadMs = clock.now() - clock.steady()
    this.#stretches = [{ from: Number.NEGATIVE_INFINITY, aheadMs: this.#aheadMs }]
  }

  /** As `Clock.ago`. */
  ago(ms: number): number {
    const { now, steady } = this.#look()
    const since = steady - ms
    let earliest = now - ms
    for (let at = this.#stretches.length - 1; at > 0; at -= 1) {
      const [stretch, before] = [this.#stretches[at], this.#stretches[at - 1]]
      if (!stretch || !before || stretch.from <= since) break
      earliest = Math.min(earliest, stretch.from + stretch.aheadMs, Math.max(since, before.from) + before.aheadMs)
    }
    return Math.floor(earliest)
  }

  /** @returns the jumps that were found since the last call */
  takeJumps(): readonly ClockJump[] {
    this.#look()
    const jumps = this.#jumps
    this.#jumps = []
    return jumps
  }

  #look(): Readonly<Record<'now' | 'steady', number>> {
    const [now, steady] = [this.#clock.now(), this.#clock.steady()]
    const aheadMs = now - steady
    const byMs = aheadMs - this.#aheadMs
    if (Math.abs(byMs) > clockDifferenceMsMax)
      this.#jumps = [...this.#jumps, { at: now, byMs: Math.round(byMs) }].slice(-jumpsMax)
    this.#aheadMs = aheadMs
    const last = this.#stretches.at(-1)
    if (last && Math.abs(aheadMs - last.aheadMs) > driftMsMax) {
      this.#stretches.push({ from: steady, aheadMs })
      if (this.#stretches.length > stretchesMax) this.#stretches.shift()
    }
    return { now, steady }
  }
}
