import type { Clock } from '../base/clock.ts'
import { CountTable } from '../base/countTable.ts'
import { FixedWindow } from '../base/rateLimits.ts'

/** Limits what each of many subjects does within a window. Only in memory: a restart resets it. */
export class WindowLimit {
  readonly #counts: CountTable
  readonly #window: FixedWindow
  readonly #max: number

  /** @param limits `subjectsMax`: all later subjects of a window share one count */
  constructor(clock: Pick<Clock, 'now'>, { max, subjectsMax }: { max: number; subjectsMax: number }) {
    this.#counts = new CountTable(subjectsMax)
    this.#window = new FixedWindow(clock, () => this.#counts.clear())
    this.#max = max
  }

  /**
   * Counts one. @returns null, or after how many milliseconds the next window begins, when this one has no more left
   */
  count(subject: string): number | null {
    this.#window.advance()
    const counted = this.#counts.countedAs(subject)
    if (this.#counts.count(counted) >= this.#max) return this.#window.endsInMs
    this.#counts.add(counted, 1)
    return null
  }
}
