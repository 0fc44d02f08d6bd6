import type { Clock } from '../base/clock.ts'
import { minuteMs } from '../base/durations.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Measures } from '../telemetry/metrics.ts'
import { brokenPromise } from '../telemetry/promises.ts'
import type { FromWorker, ToWorker, VerbAnswer } from './protocol.ts'

/** Every worker of the program. A test compares this map with the entry points of the build. */
export const WORKERS = {
  writer: 'workers/writer.ts',
  sender: 'workers/sender.ts',
  backup: 'workers/backup.ts',
  notifier: 'workers/notifier.ts',
  files: 'workers/files.ts',
} as const

export type WorkerName = keyof typeof WORKERS

/** From source this file is in src/threads/; in the executable all entry points are in one folder. */
const root = Bun.isStandaloneExecutable ? './' : '../../'

/**
 * Absolute on purpose: a relative path that is not embedded would be loaded from the current folder, so that a foreign
 * file could run.
 */
export const workerUrl = (name: WorkerName): string => new URL(root + WORKERS[name], import.meta.url).href

export interface ThreadOptions {
  readonly worker: WorkerName
  /** The first data that the worker gets; plain data. */
  readonly options: unknown
  readonly clock: Clock
  readonly log: Logger
  /** A first start that takes longer has failed; also one that says nothing of itself for this time. */
  readonly readyMsMax?: number
  /** What a worker says of a long start, with the type that it has there. */
  readonly onNews?: (news: unknown) => void
  /** Grace period between the request to stop and terminating the worker. */
  readonly stopMsMax: number
  /** `respawn`: replace it and go on. Otherwise called once, and the thread stays closed. */
  readonly onCrash: 'respawn' | (() => void)
  /**
   * When set, a thread that hangs is terminated and treated as crashed. It is a separate clock, because threads run in
   * real time even when a test moves the other clock.
   */
  readonly watch?: Clock
}

/** The events of a thread, for its owner. */
export interface ThreadEvents {
  /** It takes calls, for the first time or after a replacement. */
  onReady(verbs: readonly string[]): void
  onAnswers(answers: readonly VerbAnswer[]): void
  /** It has ended. Its open calls may or may not have had an effect. */
  onGone(why: string): void
}

/** The time between two pings. */
const watchMs = 5_000
/**
 * A thread that leaves this many consecutive pings unanswered hangs: its longest turn takes milliseconds. Pings are
 * counted instead of time, because after a suspend of the machine answers are late although nothing hangs.
 */
const unansweredMax = 3
/** A thread that does not answer within this time is busy or hangs: then its last measures are shown. */
const measureMsMax = 1_000
/** A worker that is not ready by then failed, unless its owner knows of longer starts. */
const readyMsUsual = minuteMs
/**
 * Respawn delays double from the first to the last. After a worker has lived this long, the delay is the first again.
 */
const respawnMsMin = 100
const respawnMsMax = 10_000
const healthyAfterMs = 30_000

/**
 * One worker thread under supervision.
 *
 *   starting   spawned, not yet ready          -> ready, crashed (closed, when it is the first start)
 *   ready      takes messages                  -> stopping, crashed
 *   crashed    gone without being asked        -> starting (after a delay), closed
 *   stopping   asked to finish                 -> closed
 *   closed     for good
 *
 * A `close` that was not asked for is a crash, also with code 0: an unhandled rejection ends a worker with code 0.
 */
export class SupervisedThread {
  readonly #options: ThreadOptions
  readonly #events: ThreadEvents
  #state: 'starting' | 'ready' | 'crashed' | 'stopping' | 'closed' = 'starting'
  #worker: Worker | undefined
  #spawnedAt = 0
  #respawnMs = respawnMsMin
  #hasStarted = false
  #unanswered = 0
  #restarts = 0
  #measures: Measures | null = null
  /** Until the thread says what it has measured. */
  #asked: PromiseWithResolvers<void> | null = null
  #stopping: Promise<void> | undefined
  #cancelTimer = () => {}
  #cancelWatch = () => {}
  #onStopped = () => {}

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#options = options
    this.#events = events
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Takes no messages any more. */
  get isClosed(): boolean {
    return this.#state === 'stopping' || this.#state === 'closed'
  }

  /** How often it was replaced. */
  get restarts(): number {
    return this.#restarts
  }

  /**
   * @returns what the thread has measured, or its last answer when it does not answer in time; null when it never
   *   answered
   */
  async measures(): Promise<Measures | null> {
    if (!this.isReady) return this.#measures
    const { watch, clock } = this.#options
    const late = Promise.withResolvers<void>()
    const cancelTimer = (watch ?? clock).setTimer(measureMsMax, late.resolve)
    // One request at a time: they would pile up for a thread that hangs.
    if (this.#asked === null) {
      this.#asked = Promise.withResolvers<void>()
      this.post({ kind: 'measure' })
    }
    await Promise.race([this.#asked.promise, late.promise])
    cancelTimer()
    return this.#measures
  }

  /** As text: writing and reading JSON costs half of a structured clone of the same calls. */
  post(message: ToWorker): void {
    this.#worker?.postMessage(JSON.stringify(message))
  }

  /** Lets the worker finish its calls, then ends it. All calls of `stop` resolve then. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    if (this.#state === 'closed') return
    this.#cancelTimer()
    this.#cancelWatch()
    const hadWorker = this.#state === 'ready'
    this.#state = 'stopping'
    if (hadWorker) {
      await new Promise<void>(resolve => {
        this.#onStopped = resolve
        this.#cancelTimer = this.#options.clock.setTimer(this.#options.stopMsMax, resolve)
        this.post({ kind: 'stop' })
      })
      this.#cancelTimer()
    }
    this.#state = 'closed'
    this.#endQuestion()
    this.#worker?.terminate()
    this.#events.onGone('stopped')
  }

  /** @throws Error with the worker's own words when it cannot start */
  start(): Promise<void> {
    const { worker: name, clock, log, readyMsMax = readyMsUsual, onNews } = this.#options
    this.#state = 'starting'
    this.#spawnedAt = clock.steady()
    // `smol`: its few megabytes of living objects are collected long before the 32 MB that Bun would wait for.
    const worker = new Worker(workerUrl(name), { smol: true })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      let problem = `the ${name} ended before it was ready`
      const end = (why: string) => {
        problem = why
        worker.terminate()
      }
      const limitStart = () => {
        this.#cancelTimer()
        this.#cancelTimer = clock.setTimer(readyMsMax, () => end(`the ${name} did not become ready`))
      }
      limitStart()
      worker.onmessage = ({ data }: MessageEvent<string>) => {
        // Only `serveMailbox` posts here, and only this type.
        const message = JSON.parse(data) as FromWorker
        if (message.kind === 'refused') end(message.message)
        else if (message.kind === 'news') {
          if (this.#state === 'starting') limitStart()
          onNews?.(message.news)
        } else this.#receive(message, resolve)
      }
      worker.onerror = event => {
        event.preventDefault()
        log.error({ worker: name, error: event.message }, 'a worker failed')
      }
      worker.addEventListener('close', () => {
        if (worker !== this.#worker || this.isClosed) {
          this.#onStopped()
          return
        }
        this.#cancelTimer()
        reject(new Error(problem))
        // The caller of `open` reports a first start that fails.
        if (this.#hasStarted) this.#crashed()
        else this.#state = 'closed'
      })
    })
  }

  #receive(message: Exclude<FromWorker, { kind: 'refused' | 'news' }>, onReady: () => void): void {
    switch (message.kind) {
      case 'listening':
        this.post({ kind: 'start', options: this.#options.options })
        break
      case 'ready':
        this.#cancelTimer()
        this.#state = 'ready'
        this.#hasStarted = true
        this.#unanswered = 0
        this.#events.onReady(message.verbs ?? [])
        this.#watch()
        onReady()
        break
      case 'answers':
        this.#events.onAnswers(message.answers)
        break
      case 'pong':
        this.#unanswered = 0
        break
      case 'broken':
        brokenPromise(message.broken.promise, message.broken.about)
        break
      case 'measured':
        this.#measures = message.measures
        this.#endQuestion()
        break
      case 'stopped':
        this.#onStopped()
        break
    }
  }

  #endQuestion(): void {
    this.#asked?.resolve()
    this.#asked = null
  }

  #watch(): void {
    const { watch, worker, log } = this.#options
    if (!watch || this.#state !== 'ready') return
    if (this.#unanswered >= unansweredMax) {
      log.error({ worker }, 'a worker hung; terminated')
      this.#worker?.terminate()
      return
    }
    this.#unanswered += 1
    this.post({ kind: 'ping' })
    this.#cancelWatch = watch.setTimer(watchMs, () => this.#watch())
  }

  #crashed(): void {
    const { worker, clock, log, onCrash } = this.#options
    this.#state = 'crashed'
    this.#endQuestion()
    this.#cancelWatch()
    this.#events.onGone('ended unexpectedly')
    if (onCrash !== 'respawn') {
      this.#state = 'closed'
      onCrash()
      return
    }
    if (clock.steady() - this.#spawnedAt > healthyAfterMs) this.#respawnMs = respawnMsMin
    this.#restarts += 1
    log.warn({ worker, afterMs: this.#respawnMs }, 'a worker ended unexpectedly and will be replaced')
    this.#cancelTimer = clock.setTimer(this.#respawnMs, () => {
      // A failed start is another `close`, which schedules the next attempt.
      this.start().catch(() => {})
    })
    this.#respawnMs = Math.min(this.#respawnMs * 2, respawnMsMax)
  }
}
