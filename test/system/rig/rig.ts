import { eventually } from '../../eventually.ts'
import { askForBatch, miscounted } from './batchCalls.ts'
import type { BatchOrder } from './batches.ts'
import { Callers, type Calls, everyCall, type Gateways } from './callers.ts'
import { type Deployment, type DeploymentOptions, makeDeployment } from './deployment.ts'
import { checkIntegrity, countOpen, emptyLedger, type Ledger, readEvents, readLedger } from './ledger.ts'
import { OrderBook, promised } from './orders.ts'
import { Random } from './random.ts'
import { compare, compareEnd } from './verdict.ts'

/** What every run tells of itself: one in which little happened proves little. */
export interface Report {
  readonly seed: number
  readonly orders: number
  readonly messages: number
  /** Requests that had no answer when they were cut, or were given up. */
  readonly cuts: number
  readonly replays: number
  readonly arrivals: number
  /** Files that were kept for the callers, messages of users, and arrivals that answer one or react to it. */
  readonly files: number
  readonly written: number
  readonly quoting: number
  readonly unknown: number
  /** Of these, messages that never reached the platform: handed over, and killed before a byte left. */
  readonly unknownUnsent: number
  readonly answers: Readonly<Record<string, number>>
  /** Events that the endpoints took, that came again afterwards, and that they refused once. */
  readonly delivered: { readonly taken: number; readonly repeated: number; readonly refused: number }
  readonly seconds: number
  /** Promises that were broken. */
  readonly violations: readonly string[]
}

const lastReplaysMax = 1_000
/** One defect often breaks a thousand promises; these are enough to find it. */
const violationsMax = 20
const lookEveryMs = 100
/**
 * Some messages wait for minutes: a recipient that is throttled every other time may leave one of eight messages that
 * is so each time, and waits 1, 4, 16 and then 64 seconds, as the upstream advises. A busy machine takes longer.
 */
const settleMsMax = 240_000

/**
 * A deployment under load, whatever happens to its gateways meanwhile, and its verdict: what the callers were answered,
 * what reached the platform, and what is stored have to agree.
 */
export class Rig {
  readonly deployment: Deployment
  readonly random: Random
  readonly book: OrderBook
  readonly callers: Callers
  readonly violations: string[] = []
  ledger: Ledger = emptyLedger
  readonly #seed: number
  readonly #beganMs = performance.now()

  private constructor(deployment: Deployment, seed: number, outages: readonly string[], calls: Calls) {
    this.#seed = seed
    this.deployment = deployment
    this.random = new Random(seed)
    this.book = new OrderBook(outages)
    this.callers = new Callers(deployment, this.book, this.random, calls)
  }

  /**
   * @param options `outages`: what callers may be answered while the gateway or its database is away; nothing when it
   *   is not given. `calls`: everything when it is not given
   */
  static async make(
    options: DeploymentOptions & { seed: number; outages?: readonly string[]; calls?: Calls },
  ): Promise<Rig> {
    const { seed, outages = [], calls = everyCall } = options
    return new Rig(await makeDeployment(options), seed, outages, calls)
  }

  /** Compares the logs as they are now. @param startedAt when the gateway that runs was started */
  async look(startedAt: number): Promise<void> {
    this.violations.push(...compare(await this.#logs(startedAt)))
  }

  /** Resolves once every message has left, every batch is done, and every callback was taken. */
  async settled(): Promise<void> {
    const { platform, database } = this.deployment
    await eventually(async () => {
      const [[messages, batches], callbacks] = [await countOpen(database), platform.pendingCallbacks()]
      if (messages === 0 && batches === 0 && callbacks === 0) return
      await Bun.sleep(lookEveryMs)
      throw new Error(`${messages} messages and ${batches} batches are to be sent, ${callbacks} callbacks to be taken`)
    }, settleMsMax)
  }

  /** The end of a run, at gateways that serve: replays are answered, everything comes to rest, and all logs agree. */
  async conclude(gateways: Gateways): Promise<void> {
    const known = this.book.all.filter(order => order.key !== null && promised(order) !== null)
    const replayed = Array.from({ length: Math.min(lastReplaysMax, known.length) }, () => this.random.pick(known))
    await this.callers.repeat(gateways, replayed)
    for (const batch of this.book.batches) await this.insistOn(gateways, batch)
    await this.callers.lookAtFiles(gateways)
    await this.settled()
    await this.#delivered()
    const { deployment, violations } = this
    const logs = await this.#logs(Number.POSITIVE_INFINITY)
    violations.push(...(await compareEnd(logs, await readEvents(deployment.database), deployment.keptFiles())))
    for (const batch of this.book.batches)
      violations.push(...(await miscounted(gateways, deployment, batch, this.ledger)))
  }

  /** Asks for a batch, or once more, until it is answered. */
  async insistOn(gateways: Gateways, batch: BatchOrder): Promise<void> {
    while (!(await askForBatch(gateways, this.deployment, this.book, batch)));
  }

  /** Checks the file of the database as the last process has left it. */
  checkFile(database = this.deployment.database): void {
    const verdict = checkIntegrity(database, this.deployment.folder)
    if (verdict !== 'ok') this.violations.push(`the database is damaged: ${verdict}`)
  }

  report(): Report {
    const { deployment, book, ledger, violations } = this
    const { taken, repeated, refused } = deployment.receiver
    const arrivals = deployment.platform.arrivals()
    const arrived = new Set(arrivals.map(({ messageId }) => messageId))
    const unknown = [...ledger.messages.values()].filter(({ status }) => status === 'UNKNOWN')
    return {
      seed: this.#seed,
      orders: book.all.length,
      messages: ledger.messages.size,
      cuts: book.cuts,
      replays: book.replays,
      arrivals: arrivals.length,
      files: book.files.length,
      written: book.written.length,
      quoting: arrivals.filter(({ quotes }) => quotes !== null).length,
      unknown: unknown.length,
      unknownUnsent: unknown.filter(({ id }) => !arrived.has(id)).length,
      answers: Object.fromEntries([...book.answers].sort()),
      delivered: { taken, repeated, refused },
      seconds: Math.round((performance.now() - this.#beganMs) / 100) / 10,
      violations: violations.slice(0, violationsMax),
    }
  }

  async #logs(startedAt: number) {
    const { deployment, book } = this
    // Read before the ledger: whatever has arrived must be on disk.
    const arrivals = [...deployment.platform.arrivals()]
    this.ledger = await readLedger(deployment.database)
    return { deployment, book, arrivals, ledger: this.ledger, startedAt }
  }

  /** Resolves once every event was delivered, or time is up: then the comparison names those that were not. */
  async #delivered(): Promise<void> {
    const { receiver, database } = this.deployment
    const check = async () => {
      const missing = receiver.missing(await readEvents(database))
      if (missing === 0) return
      await Bun.sleep(lookEveryMs)
      throw new Error(`${missing} events are to be delivered still`)
    }
    await eventually(check, settleMsMax).catch(() => {})
  }
}
