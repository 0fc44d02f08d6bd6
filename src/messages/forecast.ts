import type { Line } from '../../db/records.ts'
import type { Clock, EpochMs } from '../clock.ts'
import { LinePace } from './pacing.ts'

/**
 * Foretells whether a message that is accepted now will be handed over at once, so that accepting it may already say so.
 * The sender keeps the pace and has the last word; but what this foretells to wait is known by the disk never to have
 * left, should the process be killed, and is sent after the restart.
 */
export class Forecast {
  readonly #clock: Clock
  /** Messages of a line that wait their turn. Lines without any are not kept. */
  readonly #waiting = new Map<string, number>()
  /** What each line was foretold to hand over. One for each line that has sent, as in the senders. */
  readonly #paces = new Map<string, LinePace>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns when the message will be handed over: now; null when it has to wait its turn */
  departure({ id, perSecond }: Pick<Line, 'id' | 'perSecond'>): EpochMs | null {
    if (this.#waiting.has(id)) return null
    const now = this.#clock.steady()
    const pace = this.#paces.get(id) ?? new LinePace()
    this.#paces.set(id, pace)
    pace.setRate(perSecond)
    if (pace.opensAt(now) > now) return null
    pace.take(now)
    return this.#clock.now()
  }

  /** A message waits its turn. */
  waits(lineId: string): void {
    this.#waiting.set(lineId, (this.#waiting.get(lineId) ?? 0) + 1)
  }

  /** One that waited does so no more. */
  left(lineId: string): void {
    const waiting = (this.#waiting.get(lineId) ?? 0) - 1
    if (waiting > 0) this.#waiting.set(lineId, waiting)
    else this.#waiting.delete(lineId)
  }
}
