import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Answer, Call, FromWorker, ToWorker } from './protocol.ts'
import { type WorkerName, workerUrl } from './workers.ts'

/** The worker is gone, or went before it answered: what was asked may or may not have happened. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost'
}

/** The worker could not do it now; it did nothing. */
export class WorkerUnavailable extends Error {
  override readonly name = 'WorkerUnavailable'
}

export interface MailboxOptions {
  readonly worker: WorkerName
  /** Given to the worker before anything else. Structured-cloneable. */
  readonly options: unknown
  readonly clock: Clock
  readonly log: Logger
  /** Grace between asking the worker to stop and ending it. */
  readonly stopMsMax: number
  /**
   * Set for a worker that answers in the order it is asked and works in batches: at most so many posts are on their way,
   * and calls gather meanwhile. Waking a thread is the dear part of a post.
   */
  readonly postsMax?: number
  /** Called before answers are handed out. */
  readonly onAnswers?: () => void
  /** Called for each piece of news; a throw is logged and does not stop the rest. */
  readonly onFact?: (fact: unknown) => void
  /** `respawn`: replace it and go on. Otherwise called once, and the mailbox stays closed. */
  readonly onCrash: 'respawn' | (() => void)
  /**
   * Set to end a thread that hangs, as if it had crashed. A clock of its own, because threads live in real time whatever
   * time the rest is told.
   */
  readonly watch?: Clock
}

/** A thread is asked this often whether it still takes messages. */
const watchMs = 5_000
/**
 * A thread that left so many questions in a row unanswered hangs: its longest turn of work takes milliseconds. Questions
 * and not time are counted, because a machine that slept answers late and hangs nowhere.
 */
const unansweredMax = 3

/** A worker that has not said `ready` by then never will: migrating a large file is the longest thing it does. */
const readyMsMax = 60_000
/** Respawn delays double from the first to the last; a worker that lived this long starts over at the first. */
const respawnMsMin = 100
const respawnMsMax = 10_000
const healthyAfterMs = 30_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: Error) => void
}

/**
 * One supervised worker and the calls that wait for it.
 *
 *   starting   spawned; calls gather in the outbox                       -> ready, crashed
 *   ready      calls leave once per turn of the event loop, as one post               -> stopping, crashed
 *   crashed    every waiting call has failed with WorkerLost             -> starting (after a delay), closed
 *   stopping   asked to finish; answers still arrive                     -> closed
 *   closed     calls fail at once
 *
 * A `close` that nobody asked for is a crash, whatever its code: an unhandled rejection ends a worker with code 0.
 */
export class Mailbox<Verbs> {
  readonly #options: MailboxOptions
  readonly #waiting = new Map<number, Waiting>()
  #outbox: Call[] = []
  /** How many calls each post carried that is not answered in full. */
  #posted: number[] = []
  #state: 'starting' | 'ready' | 'crashed' | 'stopping' | 'closed' = 'starting'
  #worker: Worker | undefined
  #isFlushDue = false
  #nextId = 1
  #spawnedAt = 0
  #respawnMs = respawnMsMin
  #hasStarted = false
  #unanswered = 0
  #stopping: Promise<void> | undefined
  #cancelTimer = () => {}
  #cancelWatch = () => {}
  #onStopped = () => {}

  private constructor(options: MailboxOptions) {
    this.#options = options
  }

  /** @throws Error with the worker's own words when it cannot start. */
  static async open<Verbs>(options: MailboxOptions): Promise<Mailbox<Verbs>> {
    const mailbox = new Mailbox<Verbs>(options)
    await mailbox.#spawn()
    return mailbox
  }

  /** How many calls have no answer yet. */
  get pending(): number {
    return this.#waiting.size
  }

  /**
   * @returns a function that asks the worker for this verb. Calls of one tick leave together, in order.
   * It rejects with WorkerLost when the worker ends before it answers, with WorkerUnavailable when it could not do it.
   */
  verb<Verb extends keyof Verbs & string>(verb: Verb): Verbs[Verb] {
    const ask = (argument: unknown) => this.#ask(verb, argument)
    // The worker runs the verb of that name, so the answer is of that verb's type.
    return ask as Verbs[Verb]
  }

  #ask(verb: string, argument: unknown): Promise<unknown> {
    if (this.#state === 'stopping' || this.#state === 'closed') {
      return Promise.reject(new WorkerUnavailable(`the ${this.#options.worker} is stopping`))
    }
    const id = this.#nextId++
    this.#outbox.push({ id, verb, argument })
    this.#flushSoon()
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  /** Not a microtask: that runs after each request, and nothing would travel together. */
  #flushSoon() {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  /** Lets the worker finish what it has, then ends it. Every call of it resolves at that end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    if (this.#state === 'closed') return
    this.#cancelTimer()
    this.#cancelWatch()
    const hadWorker = this.#state === 'ready'
    if (hadWorker) this.#flush(true)
    this.#state = 'stopping'
    if (hadWorker) {
      await new Promise<void>(resolve => {
        this.#onStopped = resolve
        this.#cancelTimer = this.#options.clock.setTimer(this.#options.stopMsMax, resolve)
        this.#post({ kind: 'stop' })
      })
      this.#cancelTimer()
    }
    this.#state = 'closed'
    this.#worker?.terminate()
    this.#loseAll('stopped')
  }

  #post(message: ToWorker) {
    this.#worker?.postMessage(message)
  }

  #flush(isLast = false) {
    this.#isFlushDue = false
    if (this.#state !== 'ready' || this.#outbox.length === 0) return
    const { postsMax } = this.#options
    if (postsMax !== undefined && !isLast) {
      // The answer that ends a post flushes again.
      if (this.#posted.length >= postsMax) return
      this.#posted.push(this.#outbox.length)
    }
    const calls = this.#outbox
    this.#outbox = []
    this.#post({ kind: 'calls', calls })
  }

  #endPosts(answers: number) {
    let left = answers
    while (left > 0) {
      const first = this.#posted[0]
      if (first === undefined) break
      if (first > left) {
        this.#posted[0] = first - left
        break
      }
      left -= first
      this.#posted.shift()
    }
    // What these answers lead to in this turn travels with it.
    if (this.#outbox.length > 0) this.#flushSoon()
  }

  #spawn(): Promise<void> {
    const { worker: name, clock, log, options, onFact } = this.#options
    this.#state = 'starting'
    this.#spawnedAt = clock.now()
    const worker = new Worker(workerUrl(name))
    this.#worker = worker
    return new Promise((resolve, reject) => {
      let problem = `the ${name} ended before it was ready`
      const end = (why: string) => {
        problem = why
        worker.terminate()
      }
      this.#cancelTimer = clock.setTimer(readyMsMax, () => end(`the ${name} did not become ready`))
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        switch (data.kind) {
          case 'listening':
            this.#post({ kind: 'start', options })
            break
          case 'ready':
            this.#cancelTimer()
            this.#state = 'ready'
            this.#hasStarted = true
            this.#flush()
            this.#unanswered = 0
            this.#watch()
            resolve()
            break
          case 'pong':
            this.#unanswered = 0
            break
          case 'refused':
            end(data.message)
            break
          case 'answers':
            this.#options.onAnswers?.()
            this.#endPosts(data.answers.length)
            for (const answer of data.answers) this.#settle(answer)
            break
          case 'facts':
            for (const fact of data.facts) {
              try {
                onFact?.(fact)
              } catch (error) {
                log.error({ err: error, worker: name }, 'a fact from a worker could not be handled')
              }
            }
            break
          case 'stopped':
            this.#onStopped()
            break
        }
      }
      worker.onerror = event => {
        event.preventDefault()
        log.error({ worker: name, error: event.message }, 'a worker failed')
      }
      worker.addEventListener('close', () => {
        if (worker !== this.#worker || this.#state === 'stopping' || this.#state === 'closed') {
          this.#onStopped()
          return
        }
        this.#cancelTimer()
        reject(new Error(problem))
        // A first start that fails is its caller's to report: nobody owns this mailbox yet.
        if (this.#hasStarted) this.#crashed()
        else this.#state = 'closed'
      })
    })
  }

  #watch() {
    const { watch, worker, log } = this.#options
    if (!watch || this.#state !== 'ready') return
    if (this.#unanswered >= unansweredMax) {
      log.error({ worker }, 'a worker hangs and is ended')
      this.#worker?.terminate()
      return
    }
    this.#unanswered += 1
    this.#post({ kind: 'ping' })
    this.#cancelWatch = watch.setTimer(watchMs, () => this.#watch())
  }

  #settle(answer: Answer) {
    const waiting = this.#waiting.get(answer.id)
    if (!waiting) return
    this.#waiting.delete(answer.id)
    if (answer.ok) waiting.resolve(answer.value)
    else if (answer.unavailable) waiting.reject(new WorkerUnavailable(answer.message))
    else waiting.reject(new Error(answer.message))
  }

  #crashed() {
    const { worker, clock, log, onCrash } = this.#options
    this.#state = 'crashed'
    this.#cancelWatch()
    this.#loseAll('ended unexpectedly')
    if (onCrash !== 'respawn') {
      this.#state = 'closed'
      onCrash()
      return
    }
    if (clock.now() - this.#spawnedAt > healthyAfterMs) this.#respawnMs = respawnMsMin
    log.warn({ worker, afterMs: this.#respawnMs }, 'a worker ended unexpectedly and will be replaced')
    this.#cancelTimer = clock.setTimer(this.#respawnMs, () => {
      // A failed start is another `close`, which schedules the next attempt.
      this.#spawn().catch(() => {})
    })
    this.#respawnMs = Math.min(this.#respawnMs * 2, respawnMsMax)
  }

  /** What was posted may have been done; what still lies here was not. */
  #loseAll(why: string) {
    const reason = `the ${this.#options.worker} ${why}`
    const unposted = new Set(this.#outbox.map(({ id }) => id))
    this.#outbox = []
    this.#posted = []
    const lost = [...this.#waiting]
    this.#waiting.clear()
    for (const [id, { reject }] of lost) {
      reject(unposted.has(id) ? new WorkerUnavailable(reason) : new WorkerLost(reason))
    }
  }
}
