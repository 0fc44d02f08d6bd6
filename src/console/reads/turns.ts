import type { User } from '../../../db/users.ts'
import { GatewayError } from '../../errors.ts'
import { CountTable } from '../../http/countTable.ts'
import type { Clock } from '../../time/clock.ts'

/** The reader. A read without a workspace has the user's id instead. */
export interface Reader {
  readonly user: Pick<User, 'id'>
  readonly workspaceId: string
}

/**
 * After a turn comes a pause three times as long: all reads of the console together take at most a quarter of the
 * thread, and sends have the rest.
 */
const restShare = 3
/** Bounds the pause: a machine that was suspended within a turn must not make everybody wait. */
const restMsMax = 250
/** Reads of one user that wait for a turn. A page makes ten at once, and a user has some pages open. */
const waitingMax = 50
const retryMs = 1_000

interface Waiter {
  readonly userId: string
  readonly grant: () => void
}

/**
 * Schedules the reads of the console on the main thread, one turn at a time. A search or an export takes a turn for
 * each step. The turns go round the workspaces: many reads of one do not delay those of another.
 */
export class Turns {
  readonly #clock: Clock
  /** Only workspaces with waiting reads; the first is the next. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #byUser = new CountTable(Number.POSITIVE_INFINITY)
  #isBusy = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Resolves when a new read may begin.
   * @throws GatewayError RATE_LIMIT_EXCEEDED when too many reads of the user wait
   */
  async begin(reader: Reader): Promise<void> {
    if (this.#byUser.count(reader.user.id) >= waitingMax) throw tooManyReads(retryMs)
    await this.take(reader)
  }

  /** Resolves when the reader may continue. Its work until the next await is its turn. */
  take({ user: { id: userId }, workspaceId }: Reader): Promise<void> {
    return new Promise(grant => {
      this.#byUser.add(userId, 1)
      const queue = this.#waiting.get(workspaceId) ?? []
      queue.push({ userId, grant })
      this.#waiting.set(workspaceId, queue)
      if (!this.#isBusy) this.#next()
    })
  }

  #next(): void {
    const [workspaceId, queue] = this.#waiting.entries().next().value ?? []
    const waiter = queue?.shift()
    this.#isBusy = waiter !== undefined
    if (workspaceId === undefined || !queue || !waiter) return
    this.#waiting.delete(workspaceId)
    // At the end of the queue.
    if (queue.length > 0) this.#waiting.set(workspaceId, queue)
    this.#byUser.add(waiter.userId, -1)
    const startedAt = this.#clock.steady()
    waiter.grant()
    setImmediate(() => {
      const restMs = Math.min(restShare * (this.#clock.steady() - startedAt), restMsMax)
      if (restMs > 0) this.#clock.setTimer(restMs, () => this.#next())
      else this.#next()
    })
  }
}

export const tooManyReads = (retryAfterMs: number) =>
  new GatewayError({
    reason: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many reads at once. Try again after Retry-After seconds.',
    retryAfterMs,
  })
