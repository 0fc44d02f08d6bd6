import { ShortLivedMap } from '../base/shortLivedMap.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import type { Measures } from '../telemetry/metrics.ts'
import { BrokenPromise, holds } from '../telemetry/promises.ts'
import type { VerbAnswer, VerbCall } from './protocol.ts'
import { SupervisedThread, type ThreadOptions } from './thread.ts'

/** The worker takes no calls any more. The call had no effect. */
export class ThreadClosed extends Unavailable {
  override readonly name = 'ThreadClosed'
}

export interface MailboxOptions extends ThreadOptions {
  /** Called before the callers get their answers. */
  readonly onAnswers?: () => void
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: Error) => void
}

/**
 * The calls to one supervised thread. They are collected while it starts, and posted together once per turn of the
 * event loop. A call fails with OutcomeUnknown when the thread ends before it answers.
 */
export class Mailbox<Verbs> {
  readonly #options: MailboxOptions
  readonly #thread: SupervisedThread
  readonly #waiting = new ShortLivedMap<number, Waiting>()
  #outbox: VerbCall[] = []
  #isFlushDue = false
  #nextId = 1
  #verbs: readonly string[] = []

  private constructor(options: MailboxOptions) {
    this.#options = options
    this.#thread = new SupervisedThread(options, {
      onReady: verbs => {
        this.#verbs = verbs
        this.#flush()
      },
      onAnswers: answers => this.#settle(answers),
      onGone: why => this.#loseAll(`the ${options.worker} ${why}`),
    })
  }

  /** @throws Error with the worker's own words when it cannot start. */
  static async open<Verbs>(options: MailboxOptions): Promise<Mailbox<Verbs>> {
    const mailbox = new Mailbox<Verbs>(options)
    await mailbox.#thread.start()
    return mailbox
  }

  /** Whether the thread takes calls at this moment. */
  get isReady(): boolean {
    return this.#thread.isReady
  }

  /** How often the thread was replaced. */
  get restarts(): number {
    return this.#thread.restarts
  }

  /** The number of calls without an answer yet. */
  get pending(): number {
    return this.#waiting.size
  }

  /**
   * @returns a function that asks the worker for this verb. Calls of one turn leave together, in order.
   * It rejects with OutcomeUnknown when the worker ends before it answers, with Unavailable when it did
   * nothing.
   */
  verb<Verb extends keyof Verbs & string>(verb: Verb): Verbs[Verb] {
    const ask = (argument: unknown) => this.#ask(verb, argument)
    // The worker runs the verb of that name, so the answer has that verb's type.
    return ask as Verbs[Verb]
  }

  /**
   * @returns a function for each verb that the worker lists, so that this side keeps no list. The caller states the
   *   type.
   * The worker's own table of verbs has the same type, and so has all of them.
   */
  verbs(): Verbs {
    return Object.fromEntries(this.#verbs.map(verb => [verb, this.verb(verb as keyof Verbs & string)])) as Verbs
  }

  /** @returns what the thread has measured of itself; null when it never answered */
  measures(): Promise<Measures | null> {
    return this.#thread.measures()
  }

  /** Lets the worker finish its calls, then ends it. */
  stop(): Promise<void> {
    this.#flush()
    return this.#thread.stop()
  }

  #ask(verb: string, argument: unknown): Promise<unknown> {
    if (this.#thread.isClosed) {
      return Promise.reject(new ThreadClosed(`the ${this.#options.worker} is stopping`))
    }
    const id = this.#nextId++
    this.#outbox.push({ id, verb, argument })
    this.#flushSoon()
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  /**
   * Not a microtask: that runs after each request, so no calls would be posted together, and waking a thread is slow.
   */
  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushDue = false
    if (!this.#thread.isReady || this.#outbox.length === 0) return
    const calls = this.#outbox
    this.#outbox = []
    this.#post(calls)
  }

  /** An argument that JSON cannot hold (too deep, for example) fails its own call only. */
  #post(calls: readonly VerbCall[]): void {
    try {
      this.#thread.post({ kind: 'calls', calls })
    } catch (error) {
      const [only, ...others] = calls
      if (others.length > 0) for (const call of calls) this.#post([call])
      else if (only) this.#refuse(only, error)
    }
  }

  #refuse({ id }: VerbCall, error: unknown): void {
    this.#waiting.get(id)?.reject(error instanceof Error ? error : new Error(String(error)))
    this.#waiting.delete(id)
  }

  #settle(answers: readonly VerbAnswer[]): void {
    this.#options.onAnswers?.()
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.id)
      // One that has ended, or is about to, has lost its calls.
      const isKnown = waiting !== undefined || !this.#thread.isReady
      holds('answerOfCall', isKnown, () => ({ worker: this.#options.worker, call: answer.id }))
      this.#waiting.delete(answer.id)
      if (answer.ok) waiting?.resolve(answer.value)
      else if (answer.unavailable) waiting?.reject(new Unavailable(answer.message))
      else if (answer.broken) waiting?.reject(new BrokenPromise(answer.broken))
      else waiting?.reject(new Error(answer.message))
    }
  }

  /** Calls that were posted may have had an effect. Calls that were not posted had none. */
  #loseAll(why: string): void {
    const unposted = new Set(this.#outbox.map(({ id }) => id))
    this.#outbox = []
    const lost = this.#waiting.entries()
    this.#waiting.clear()
    for (const [id, { reject }] of lost) {
      reject(unposted.has(id) ? new Unavailable(why) : new OutcomeUnknown(why))
    }
  }
}
