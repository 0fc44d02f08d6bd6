import type { Clock } from './clock.ts'

/** The caller of the send waits meanwhile, and may try again. */
const acquireMsMax = 20_000

interface Waiter {
  readonly amount: number
  readonly grant: () => void
}

/** A limited amount of something, acquired in the order of the calls. */
export class Semaphore {
  readonly #clock: Clock
  #free: number
  readonly #waiting = new Set<Waiter>()

  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#free = limit
  }

  /**
   * @param amount no more than the limit
   * @returns false when there was not enough within `acquireMsMax`; true when the amount is acquired and must be
   *   released
   */
  acquire(amount: number): Promise<boolean> {
    return new Promise(resolve => {
      const cancelTimer = this.#clock.setTimer(acquireMsMax, () => {
        this.#waiting.delete(waiter)
        resolve(false)
        this.#serve()
      })
      const grant = () => {
        cancelTimer()
        resolve(true)
      }
      const waiter = { amount, grant }
      this.#waiting.add(waiter)
      this.#serve()
    })
  }

  release(amount: number): void {
    this.#free += amount
    this.#serve()
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      if (waiter.amount > this.#free) return
      this.#waiting.delete(waiter)
      this.#free -= waiter.amount
      waiter.grant()
    }
  }
}
