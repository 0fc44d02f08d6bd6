import { type Clock, type SteadyMs, wait } from '../clock.ts'
import type { Logger } from '../log.ts'
import { WorkerClosed } from '../queue/mailbox.ts'

/** A write that the disk refuses is tried again this often until it takes it. */
const retryMs = 1_000
/** While stopping, for no longer than this from the first time on: a full disk must not keep the process for ever. */
const stopRetryMsMax = 10_000

/** Writes that must not be given up because the disk is full for a while: the upstream has acted on them already. */
export class PatientStore {
  readonly #clock: Clock
  readonly #log: Logger
  #isStopping = false

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  stop(): void {
    this.#isStopping = true
  }

  /**
   * Repeats a write until it is stored.
   * @param write may be repeated
   * @param what completes the sentence "it could not be stored …"
   * @param stopMsMax how long to go on after a stop
   * @throws Error of the last attempt, only after a stop
   */
  async until<Value>(write: () => Promise<Value>, what: string, stopMsMax = stopRetryMsMax): Promise<Value> {
    let until: SteadyMs | null = null
    for (;;) {
      try {
        return await write()
      } catch (error) {
        // The next start finds the message as the disk has it.
        if (this.#isStopping) until ??= this.#clock.steady() + stopMsMax
        if (error instanceof WorkerClosed || (until !== null && this.#clock.steady() >= until)) throw error
        this.#log.error({ err: error }, `it could not be stored ${what}; trying again`)
        await wait(this.#clock, retryMs)
      }
    }
  }
}
