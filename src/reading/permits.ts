import type { User } from '../../db/contract/users.ts'
import { CountTable } from '../base/countTable.ts'
import { tooManyReads } from './turns.ts'

interface Reader {
  readonly user: Pick<User, 'id'>
  readonly workspaceId: string
}

/** Simultaneous searches over many messages or contacts: two pages of a user, and a colleague's. */
const permitsMax = { user: 2, workspace: 3 } as const
/** How many searches may wait for a permit: of one user, who has some pages open, and of all. */
const waitingMax = { user: 10, all: 1_000 } as const
const retryMs = 2_000
/** Exports take long. */
const exportRetryMs = 30_000

interface Waiter {
  readonly userId: string
  readonly grant: () => void
}

/** Bounds how many searches, or exports, run at once for each user and each workspace. */
export class ReadPermits {
  readonly #taken = new CountTable(Number.POSITIVE_INFINITY)
  readonly #waiting = new Set<Waiter>()

  /**
   * Runs a search once there is a permit for it.
   * @throws GatewayError RATE_LIMIT_EXCEEDED when too many wait
   */
  async search<Result>(reader: Reader, work: () => Promise<Result>): Promise<Result> {
    const leave = this.#enter(reader) ?? (await this.#wait(reader))
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /**
   * Takes a permit for an export, which does not wait: it may take minutes until one is free.
   * @returns releases the permit; call it when the export has ended, any number of times
   * @throws GatewayError RATE_LIMIT_EXCEEDED
   */
  export(reader: Reader): () => void {
    const leave = this.#enter(reader)
    if (!leave) throw tooManyReads(exportRetryMs)
    return leave
  }

  #enter({ user: { id: userId }, workspaceId }: Reader): (() => void) | null {
    const taken = this.#taken
    if (taken.count(userId) >= permitsMax.user || taken.count(workspaceId) >= permitsMax.workspace) return null
    taken.add(userId, 1)
    taken.add(workspaceId, 1)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      taken.add(userId, -1)
      taken.add(workspaceId, -1)
      this.#serve()
    }
  }

  #wait(reader: Reader): Promise<() => void> {
    const { id: userId } = reader.user
    const ofUser = [...this.#waiting].filter(waiter => waiter.userId === userId).length
    if (ofUser >= waitingMax.user || this.#waiting.size >= waitingMax.all) throw tooManyReads(retryMs)
    return new Promise(resolve => {
      const waiter: Waiter = {
        userId,
        grant: () => {
          const leave = this.#enter(reader)
          if (!leave) return
          this.#waiting.delete(waiter)
          resolve(leave)
        },
      }
      this.#waiting.add(waiter)
    })
  }

  #serve(): void {
    for (const { grant } of [...this.#waiting]) grant()
  }
}
