import type { Clock, EpochMs } from '../../base/clock.ts'

/**
 * Runs functions at a later time of the clock. Everything due in the same millisecond shares one timer, so thousands
 * of callbacks a second cost hundreds of timers; items of one moment run in the order they were added.
 */
export class TimerQueue {
  readonly #clock: Clock
  readonly #itemsMax: number
  readonly #moments = new Map<EpochMs, { items: (() => void)[]; cancel: () => void }>()
  #size = 0
  #dropped = 0

  constructor(clock: Clock, itemsMax: number) {
    this.#clock = clock
    this.#itemsMax = itemsMax
  }

  get size(): number {
    return this.#size
  }

  /** How many were not run because the queue was full. */
  get dropped(): number {
    return this.#dropped
  }

  add(delayMs: number, run: () => void): void {
    if (this.#size >= this.#itemsMax) {
      this.#dropped += 1
      return
    }
    this.#size += 1
    const due = this.#clock.now() + Math.max(0, Math.round(delayMs))
    const moment = this.#moments.get(due)
    if (moment) {
      moment.items.push(run)
      return
    }
    const items = [run]
    this.#moments.set(due, { items, cancel: this.#clock.setTimer(due - this.#clock.now(), () => this.#fire(due)) })
  }

  clear(): void {
    for (const moment of this.#moments.values()) moment.cancel()
    this.#moments.clear()
    this.#size = 0
    this.#dropped = 0
  }

  #fire(due: EpochMs): void {
    const moment = this.#moments.get(due)
    if (!moment) return
    this.#moments.delete(due)
    this.#size -= moment.items.length
    for (const run of moment.items) run()
  }
}
