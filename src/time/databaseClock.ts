import type { Clock, EpochMs, SteadyMs } from './clock.ts'

/**
 * Beyond this somebody has to correct a clock. Machines that are synchronised differ by milliseconds, and an answer of
 * the database that takes seconds says its time only so exactly.
 */
export const clockDifferenceMsMax = 5_000

/**
 * The time of the database, for machines that share one. What one of them dates decides something on the others: when
 * an idempotency key expires, in which month a message counts. So the machine's own time decides nothing. It counts
 * only how long ago the database has said its time, by the steady clock: a machine whose time is set meanwhile notices
 * nothing of it. One that was suspended goes on from where it stopped, until the database says its time again: a
 * gateway's heartbeat says it every two seconds; a command was told once.
 */
export class DatabaseClock implements Clock {
  readonly #machine: Clock
  /** The time of the database when the steady clock was 0; null before its first answer. */
  #base: number | null = null

  constructor(machine: Clock) {
    this.#machine = machine
  }

  /** The machine's time until the database has said its own. A gateway serves nothing before. */
  now(): EpochMs {
    return this.#base === null ? this.#machine.now() : Math.floor(this.#base + this.#machine.steady())
  }

  steady(): SteadyMs {
    return this.#machine.steady()
  }

  setTimer(delayMs: number, fire: () => void): () => void {
    return this.#machine.setTimer(delayMs, fire)
  }

  /**
   * How much the machine's time is ahead of the database's; negative when it is behind, null while it was not compared.
   */
  get aheadMs(): number | null {
    return this.#base === null ? null : this.#machine.now() - this.now()
  }

  /**
   * Takes over what the database has just answered. It looked at its clock at some moment since it was asked: as long
   * as this clock agrees with any of them, it stays as it is, so that it does not go back and forth with each answer.
   * @param now the database's time, rounded down to milliseconds
   */
  heard(now: EpochMs, askedAt: SteadyMs): void {
    const earliest = now - this.#machine.steady()
    const latest = now + 1 - askedAt
    this.#base = Math.min(Math.max(this.#base ?? (earliest + latest) / 2, earliest), latest)
  }
}
