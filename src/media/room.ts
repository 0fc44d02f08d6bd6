import type { Clock } from '../clock.ts'

/** Whoever gets none by then is told so: callers wait for it, and may try again. */
export const roomWaitMsMax = 20_000

interface Asker {
  readonly amount: number
  readonly onTaken: () => void
}

/**
 * Something limited that channels share. None takes more than its share, however much it asks for, so that one channel
 * cannot leave the others without. Of one channel, who comes first is first; the channels have their turns one after the
 * other. What does not fit yet lets other channels pass, so a large amount may wait for long, but not beyond the limit.
 */
export class Room {
  readonly #clock: Clock
  readonly #max: number
  readonly #shareMax: number
  #taken = 0
  readonly #takenBy = new Map<string, number>()
  /** Who waits, by channel; the channel that has waited longest for its turn comes first. */
  readonly #waiting = new Map<string, Asker[]>()

  constructor(clock: Clock, limits: { readonly max: number; readonly shareMax: number }) {
    this.#clock = clock
    this.#max = limits.max
    this.#shareMax = limits.shareMax
  }

  /**
   * @param amount no more than a share
   * @returns false when there was none for `roomWaitMsMax`; else it is the channel's until it is given back
   */
  take(channelId: string, amount: number): Promise<boolean> {
    return new Promise(resolve => {
      const queue = this.#waiting.get(channelId) ?? []
      const cancelTimer = this.#clock.setTimer(roomWaitMsMax, () => {
        queue.splice(queue.indexOf(asker), 1)
        if (queue.length === 0) this.#waiting.delete(channelId)
        resolve(false)
        this.#serve()
      })
      const onTaken = () => {
        cancelTimer()
        resolve(true)
      }
      const asker = { amount, onTaken }
      queue.push(asker)
      this.#waiting.set(channelId, queue)
      this.#serve()
    })
  }

  give(channelId: string, amount: number): void {
    this.#count(channelId, -amount)
    this.#serve()
  }

  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { channelId, queue, first } = next
      queue.shift()
      this.#waiting.delete(channelId)
      if (queue.length > 0) this.#waiting.set(channelId, queue)
      this.#count(channelId, first.amount)
      first.onTaken()
    }
  }

  #next() {
    for (const [channelId, queue] of this.#waiting) {
      const [first] = queue
      if (first && this.#fits(channelId, first.amount)) return { channelId, queue, first }
    }
    return null
  }

  #fits(channelId: string, amount: number): boolean {
    return this.#taken + amount <= this.#max && (this.#takenBy.get(channelId) ?? 0) + amount <= this.#shareMax
  }

  #count(channelId: string, change: number): void {
    this.#taken += change
    const sum = (this.#takenBy.get(channelId) ?? 0) + change
    if (sum === 0) this.#takenBy.delete(channelId)
    else this.#takenBy.set(channelId, sum)
  }
}
