import type { SteadyMs } from '../../../src/base/clock.ts'
import { type MessageRecord, statusOf } from '../../../src/message/state.ts'

/** What must never be seen, each time it was: a sentence. */
export interface Sightings {
  /** A restart would have sent it, and the upstream had it or may have had it. */
  readonly resumableThoughLeft: string[]
  /** It left again, and the upstream had it or may have had it. */
  readonly leftAgain: string[]
  /** It left before the disk said that it may have. */
  readonly leftUnannounced: string[]
  /** It left after the time in which it was allowed to: its departure may have been somebody else's by then. */
  readonly leftLate: string[]
}

/** Never handed over, says the disk: a restart sends it. */
export const isResumable = (record: MessageRecord) => statusOf(record) === 'QUEUED' && record.dispatchedAt === null

/** How long a message takes from the main thread to a sender thread. */
export const postMs = 1

/**
 * Looks on whenever something leaves and whenever the disk changes, because the process may be killed at any moment.
 */
export class Witness {
  readonly sightings: Sightings = { resumableThoughLeft: [], leftAgain: [], leftUnannounced: [], leftLate: [] }
  /** What has left, but for that of which we heard that the upstream did not take it. */
  readonly #taken = new Set<string>()
  readonly #leaveBy = new Map<string, SteadyMs>()

  /** The disk lets it leave. @param validMs from `askedAt` on; null: at any time */
  mayLeave(messageId: string, askedAt: SteadyMs, validMs: number | null): void {
    this.#leaveBy.set(messageId, validMs === null ? Number.POSITIVE_INFINITY : askedAt + validMs)
  }

  /** @param record as the disk has it; undefined when it does not know the message */
  left(messageId: string, record: MessageRecord | undefined, at: SteadyMs): void {
    const leaveBy = this.#leaveBy.get(messageId) ?? Number.NEGATIVE_INFINITY
    if (at > leaveBy + postMs) this.sightings.leftLate.push(`${messageId} left at ${at}, allowed until ${leaveBy}`)
    if (this.#taken.has(messageId)) this.sightings.leftAgain.push(`${messageId} left again`)
    if (!record || record.dispatchedAt === null) this.sightings.leftUnannounced.push(`${messageId} left unannounced`)
    this.#taken.add(messageId)
    if (record) this.stored(messageId, record)
  }

  /** We have heard that the upstream did not take it. */
  declined(messageId: string): void {
    this.#taken.delete(messageId)
  }

  stored(messageId: string, record: MessageRecord): void {
    if (!this.#taken.has(messageId) || !isResumable(record)) return
    this.sightings.resumableThoughLeft.push(`${messageId} has left and is resumable`)
  }
}
