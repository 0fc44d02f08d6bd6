import type { Clock, SteadyMs } from '../clock.ts'
import type { Pace } from './pacing.ts'

/** A cleared message waits again when its departure is later than this: the line was paused meanwhile. */
const departureMsMax = 1_000

/** What is kept of a message that is cleared. */
export interface Departing {
  /** It has to wait again when it has not left by then. Set when it is cleared. */
  leaveBy: SteadyMs
}

/** @param validMs how long a message may take to leave, from `askedAt` on; null: as long as it has to */
export const leaveByOf = (askedAt: SteadyMs, validMs: number | null): SteadyMs =>
  validMs === null ? Number.POSITIVE_INFINITY : askedAt + validMs

export interface DeparturesParts<Message> {
  readonly clock: Clock
  /** Each message has a departure reserved. */
  readonly pace: Pace
  /** Nothing leaves before. */
  slowedUntil(): SteadyMs
  /** The message leaves now. */
  leave(message: Message, now: SteadyMs): void
  /** The messages have to wait again; their departures are given back. */
  putBack(messages: readonly Message[]): void
  /** The departures have been looked through: some may be free. */
  onLooked(): void
}

/** The cleared messages of one line: they leave at its pace, in the order they were cleared. */
export class Departures<Message extends Departing> {
  readonly #parts: DeparturesParts<Message>
  readonly #leaving: Message[] = []
  #leftMs = Number.POSITIVE_INFINITY
  #isClosed = false
  #cancelTimer = () => {}

  constructor(parts: DeparturesParts<Message>) {
    this.#parts = parts
  }

  /** How long the last message could take to leave once it was cleared. A later departure would be missed. */
  get leftMs(): number {
    return this.#leftMs
  }

  add(message: Message): void {
    this.#leftMs = message.leaveBy - this.#parts.clock.steady()
    this.#leaving.push(message)
    this.look()
  }

  /** Lets leave what may. */
  look(): void {
    const { clock, pace } = this.#parts
    this.#cancelTimer()
    const missed: Message[] = []
    for (let message = this.#leaving[0]; message; message = this.#leaving[0]) {
      const now = clock.steady()
      const waitMs = Math.max(pace.dueAt(now), this.#parts.slowedUntil(), now) - now
      if (waitMs > departureMsMax || (waitMs > 0 && this.#isClosed)) {
        missed.push(...this.#leaving.splice(0))
        break
      }
      if (now + waitMs > message.leaveBy) {
        this.#leaving.shift()
        missed.push(message)
        continue
      }
      if (waitMs > 0) {
        this.#cancelTimer = clock.setTimer(waitMs, () => this.look())
        break
      }
      this.#leaving.shift()
      pace.depart(now)
      this.#parts.leave(message, now)
    }
    for (const _ of missed) pace.release()
    if (missed.length > 0) this.#parts.putBack(missed)
    this.#parts.onLooked()
  }

  /** Those that may leave now still leave; the others are put back. */
  close(): void {
    this.#isClosed = true
    this.look()
  }
}
