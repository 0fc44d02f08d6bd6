import type { Clock, EpochMs, SteadyMs } from './clock.ts'
import { RunningTime } from './runningTime.ts'

/**
 * The time of the database, for machines that share one. A time that one machine stores decides something on the
 * others: when an idempotency key expires, in which month a message counts. So the machine's own time decides nothing.
 * Between two answers of the database, its time is extrapolated with the steady clock, so setting the machine's time
 * has no effect. After a suspend the time is behind until the next answer: a gateway gets one with each heartbeat,
 * every two seconds; a command gets one at its start.
 */
export class DatabaseClock implements Clock {
  readonly #machine: Clock
  /** The time of the database when the steady clock was 0; null before its first answer. */
  #base: number | null = null
  /** Of the time of the database, from its first answer on. */
  #running: RunningTime | null = null

  constructor(machine: Clock) {
    this.#machine = machine
  }

  /** The machine's time before the first answer of the database. A gateway serves nothing until then. */
  now(): EpochMs {
    return this.#base === null ? this.#machine.now() : Math.floor(this.#base + this.#machine.steady())
  }

  steady(): SteadyMs {
    return this.#machine.steady()
  }

  ago(ms: number): EpochMs {
    return (this.#running ?? this.#machine).ago(ms)
  }

  setTimer(delayMs: number, fire: () => void): () => void {
    return this.#machine.setTimer(delayMs, fire)
  }

  /**
   * How far the machine's time is ahead of the database's; negative when it is behind, null before the first
   * comparison.
   */
  get aheadMs(): number | null {
    return this.#base === null ? null : this.#machine.now() - this.now()
  }

  /**
   * Applies an answer of the database. The database read its clock at some moment between question and answer: when
   * this clock agrees with any such moment, it stays as it is, so that it does not jump back and forth with each
   * answer.
   * @param now the database's time, rounded down to milliseconds
   */
  heard(now: EpochMs, askedAt: SteadyMs): void {
    const earliest = now - this.#machine.steady()
    const latest = now + 1 - askedAt
    this.#base = Math.min(Math.max(this.#base ?? (earliest + latest) / 2, earliest), latest)
    this.#running ??= new RunningTime(this)
  }
}
