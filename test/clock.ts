import { type Clock, type EpochMs, type SteadyMs, timerMsMax } from '../src/base/clock.ts'
import { RunningTime } from '../src/base/runningTime.ts'

interface Timer {
  readonly due: EpochMs
  readonly order: number
  readonly fire: () => void
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  /** What the machine's time was set forward or back by. */
  #offset = 0
  #now: EpochMs
  #order = 0
  readonly #running: RunningTime

  constructor(now: EpochMs = Date.UTC(2026, 0, 1)) {
    this.#now = now
    this.#running = new RunningTime(this)
  }

  /** How many timers wait: zero when nothing leaked. */
  get pending(): number {
    return this.#timers.size
  }

  /** When the next timer is due, in steady time; undefined when none waits. */
  get nextDue(): SteadyMs | undefined {
    return this.#nextDue(Number.POSITIVE_INFINITY)?.due
  }

  now(): EpochMs {
    return this.#now + this.#offset
  }

  steady(): SteadyMs {
    return this.#now
  }

  /** The machine's time is set forward, or back; no time passes. */
  set(byMs: number): void {
    this.#offset += byMs
  }

  ago(ms: number): EpochMs {
    return this.#running.ago(ms)
  }

  setTimer(delayMs: number, fire: () => void): () => void {
    this.#order += 1
    const timer = { due: this.#now + Math.min(Math.max(delayMs, 0), timerMsMax), order: this.#order, fire }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Moves the time; runs the timers that become due in order, also those that they set. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let next = this.#nextDue(end); next; next = this.#nextDue(end)) {
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.due)
      next.fire()
    }
    this.#now = end
  }

  #nextDue(end: EpochMs): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.due > end) continue
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer
    }
    return first
  }
}
