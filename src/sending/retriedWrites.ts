import { type Clock, type SteadyMs, wait } from '../base/clock.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import type { Logger } from '../telemetry/log.ts'
import { BrokenPromise } from '../telemetry/promises.ts'
import { ThreadClosed } from '../threads/mailbox.ts'

/** The time between two attempts to write. */
const retryMs = 1_000
/**
 * After a stop began, a write is retried for at most this long: a full disk must not keep the process alive for ever.
 */
const stopRetryMsMax = 10_000

/** Repeats writes while the disk is full: the upstream has already acted on what they store. */
export class RetriedWrites {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failing = new FailureSpell()
  /** Writes that have failed and are tried again. */
  #repeated = 0
  #isStopping = false

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  stop(): void {
    this.#isStopping = true
  }

  /**
   * Repeats a write until it is stored. Hundreds may fail each second: only the first failure and the recovery are
   * logged.
   * @param write may be repeated
   * @param what completes the sentence "… could not be stored"
   * @param stopMsMax how long to go on after a stop
   * @throws Error of the last attempt, only after a stop; BrokenPromise of the first
   */
  async untilStored<Value>(write: () => Promise<Value>, what: string, stopMsMax = stopRetryMsMax): Promise<Value> {
    let until: SteadyMs | null = null
    let isRepeated = false
    try {
      for (;;) {
        try {
          return await write()
        } catch (error) {
          // The next try would break it as well.
          if (error instanceof BrokenPromise) throw error
          // When the write is given up, the disk keeps the earlier state for the next start.
          if (this.#isStopping) until ??= this.#clock.steady() + stopMsMax
          if (error instanceof ThreadClosed || (until !== null && this.#clock.steady() >= until)) throw error
          this.#failing.failed(() => this.#log.error({ err: error }, `${what} could not be stored; retrying`))
          if (!isRepeated) this.#repeated += 1
          isRepeated = true
          await wait(this.#clock, retryMs)
        }
      }
    } finally {
      if (isRepeated) this.#endRepeated()
    }
  }

  #endRepeated(): void {
    this.#repeated -= 1
    if (this.#repeated > 0 || this.#isStopping) return
    this.#failing.worked(failures => this.#log.info({ failures }, 'all failed writes are stored now'))
  }
}
