import type { Clock } from '../base/clock.ts'
import { CountTable } from '../base/countTable.ts'
import { GatewayError } from '../base/errors.ts'

export interface TurnReader {
  /** Of the user, or of the API key. */
  readonly id: string
  /** Groups take turns: the users of a workspace are one, and its keys are another. */
  readonly group: string
}

export const readerOfKey = ({
  keyId,
  workspaceId,
}: {
  readonly keyId: string
  readonly workspaceId: string
}): TurnReader => ({
  id: keyId,
  group: `keys of ${workspaceId}`,
})

/**
 * After a turn comes a pause three times as long as it had the thread: all these reads together take at most a quarter
 * of it, and sends have the rest.
 */
const restShare = 3
/** A turn that waits for the database takes no longer than this: one that hangs must not make everybody wait. */
const holdMsMax = 250
/** Bounds the pause: a machine that was suspended within a turn must not make everybody wait. */
const restMsMax = 250
/**
 * Reads of one user or key that wait for a turn. A page of the console makes ten at once, and a user has some pages
 * open.
 */
const waitingMax = 50
const retryMs = 1_000

/** What a reader has from its grant until the turn is over. */
export interface Turn {
  readonly isOver: boolean
  /**
   * Makes the turn go on until the database has answered, and for what its answer is made of then: so it works for one
   * of these reads at a time, and as long as one took, for sends alone. On SQLite a read has ended by then.
   */
  hold(work: Promise<unknown>): void
  /** Lets the turn count as longer by what its answer costs after it. @param ms of the thread */
  owe(ms: number): void
}

interface Waiter {
  readonly readerId: string
  readonly grant: (turn: Turn) => void
}

/**
 * Schedules long reads on the main thread, one turn at a time: those of the console, and the lists that callers follow.
 * A search or an export takes a turn for each step. The turns go round the groups: many reads of one do not delay those
 * of another.
 */
export class Turns {
  readonly #clock: Clock
  readonly #isSending: () => boolean
  /** Only groups with waiting reads; the first is the next. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #byReader = new CountTable(Number.POSITIVE_INFINITY)
  #isBusy = false
  /** Ends the pause; null when there is none. */
  #cancelRest: (() => void) | null = null

  /**
   * @param isSending whether messages need the thread. While none does, a read that nobody waits with needs no pause
   */
  constructor(clock: Clock, isSending: () => boolean) {
    this.#clock = clock
    this.#isSending = isSending
  }

  /**
   * Resolves when a new read may begin.
   * @throws GatewayError RATE_LIMIT_EXCEEDED when too many reads of the reader wait
   */
  async begin(reader: TurnReader): Promise<Turn> {
    if (this.#byReader.count(reader.id) >= waitingMax) throw tooManyReads(retryMs)
    return this.take(reader)
  }

  /** Resolves when the reader may continue. Its work until the next await is its turn, and what it holds it for. */
  take({ id: readerId, group }: TurnReader): Promise<Turn> {
    return new Promise(grant => {
      const isAlone = this.#waiting.size === 0
      this.#byReader.add(readerId, 1)
      const queue = this.#waiting.get(group) ?? []
      queue.push({ readerId, grant })
      this.#waiting.set(group, queue)
      if (!this.#isBusy) this.#next()
      else if (this.#cancelRest && isAlone && !this.#isSending()) {
        this.#cancelRest()
        this.#next()
      }
    })
  }

  #next(): void {
    this.#cancelRest = null
    const [group, queue] = this.#waiting.entries().next().value ?? []
    const waiter = queue?.shift()
    this.#isBusy = waiter !== undefined
    if (group === undefined || !queue || !waiter) return
    this.#waiting.delete(group)
    // At the end of the queue.
    if (queue.length > 0) this.#waiting.set(group, queue)
    this.#byReader.add(waiter.readerId, -1)
    const turn = new HeldTurn(this.#clock, restDueMs => {
      const restMs = Math.min(restDueMs, restMsMax)
      if (restMs > 0 && !this.#goesOnAlone(waiter)) this.#cancelRest = this.#clock.setTimer(restMs, () => this.#next())
      else this.#next()
    })
    waiter.grant(turn)
  }

  /** Whether the next step of the same reader is all that waits, and nothing is sent. */
  #goesOnAlone({ readerId }: Waiter): boolean {
    const waiting = [...this.#waiting.values()].flat()
    return waiting.length === 1 && waiting[0]?.readerId === readerId && !this.#isSending()
  }
}

class HeldTurn implements Turn {
  isOver = false
  readonly #clock: Clock
  readonly #end: (restMs: number) => void
  #startedAt: number
  #threadMs = 0
  #waitedMs = 0
  /** What the database has not answered yet. */
  #held = 0
  #cancelWait: (() => void) | null = null

  constructor(clock: Clock, end: (restMs: number) => void) {
    this.#clock = clock
    this.#end = end
    this.#startedAt = clock.steady()
    setImmediate(() => this.#pause())
  }

  hold(work: Promise<unknown>): void {
    this.#held += 1
    const answered = () => {
      this.#held -= 1
      if (this.#held === 0 && this.#cancelWait) this.#goOn()
    }
    work.then(answered, answered)
  }

  owe(ms: number): void {
    this.#threadMs += ms
  }

  #pause(): void {
    this.#threadMs += this.#lap()
    const leftMs = holdMsMax - this.#waitedMs
    if (this.#held > 0 && leftMs > 0) this.#cancelWait = this.#clock.setTimer(leftMs, () => this.#goOn())
    else {
      this.isOver = true
      this.#end(restShare * this.#threadMs + this.#waitedMs)
    }
  }

  #goOn(): void {
    this.#cancelWait?.()
    this.#cancelWait = null
    this.#waitedMs += this.#lap()
    setImmediate(() => this.#pause())
  }

  /** @returns the time since it was asked last */
  #lap(): number {
    const now = this.#clock.steady()
    const ms = now - this.#startedAt
    this.#startedAt = now
    return ms
  }
}

export const tooManyReads = (retryAfterMs: number) =>
  new GatewayError({
    reason: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many reads at once. Try again after Retry-After seconds.',
    retryAfterMs,
  })
