import type { Clock } from '../base/clock.ts'
import { Unavailable } from '../base/unavailable.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Measures } from '../telemetry/metrics.ts'
import { Mailbox } from '../threads/mailbox.ts'
import type { SenderOptions, SenderVerbs } from './sender.ts'

/** Time for a sender thread to report its last answers after their time limit. */
const stopGraceMs = 5_000

interface SenderThread {
  readonly mailbox: Mailbox<SenderVerbs>
  readonly verbs: SenderVerbs
}

/** The sender threads. One that dies is replaced: its jobs are lost, and later jobs go to other threads. */
export class Senders implements SenderVerbs {
  readonly #threads: readonly SenderThread[]

  private constructor(mailboxes: readonly Mailbox<SenderVerbs>[]) {
    this.#threads = mailboxes.map(mailbox => ({ mailbox, verbs: mailbox.verbs() }))
  }

  /** @param watch the clock that finds threads that hang: always real time */
  static async open(parts: {
    count: number
    options: SenderOptions
    clock: Clock
    watch?: Clock
    log: Logger
  }): Promise<Senders> {
    const { count, options, ...rest } = parts
    const open = () =>
      Mailbox.open<SenderVerbs>({
        worker: 'sender',
        options,
        // A stop waits for the answers of sent requests, no longer than the upstream's time limit.
        stopMsMax: options.timeoutMs + stopGraceMs,
        onCrash: 'respawn',
        ...rest,
      })
    return new Senders(await Promise.all(Array.from({ length: count }, open)))
  }

  /** Whether there is a thread that takes calls. */
  get isReady(): boolean {
    return this.#threads.some(({ mailbox }) => mailbox.isReady)
  }

  /** How often threads were replaced. */
  get restarts(): number {
    return this.#threads.reduce((sum, { mailbox }) => sum + mailbox.restarts, 0)
  }

  /** @returns what each thread has measured of itself; null for one that never answered */
  measures(): Promise<(Measures | null)[]> {
    return Promise.all(this.#threads.map(({ mailbox }) => mailbox.measures()))
  }

  /** @throws Unavailable when no thread is there: nothing was sent */
  readonly send: SenderVerbs['send'] = job => this.#assign(verbs => verbs.send(job))

  /** @throws Unavailable when no thread is there; OutcomeUnknown when the thread died before it answered */
  readonly uploadMedia: SenderVerbs['uploadMedia'] = order => this.#assign(verbs => verbs.uploadMedia(order))

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map(({ mailbox }) => mailbox.stop()))
  }

  /** Assigns a job to the thread with the fewest jobs. A job that its thread had not received yet goes to another. */
  async #assign<Result>(job: (verbs: SenderVerbs) => Promise<Result>): Promise<Result> {
    for (;;) {
      const [first, ...others] = this.#threads.filter(({ mailbox }) => mailbox.isReady)
      if (!first) throw new Unavailable('no sender thread is ready')
      const freest = others.reduce((one, other) => (other.mailbox.pending < one.mailbox.pending ? other : one), first)
      try {
        return await job(freest.verbs)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
      }
    }
  }
}
