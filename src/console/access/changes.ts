import type { Clock, EpochMs } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import { CountTable } from '../../http/countTable.ts'

const windowMs = 15 * 60_000

/**
 * Changes and sign-ins of one user in a window: one every three seconds, more than a person makes. The audit keeps a
 * bounded number of entries, so without it one user could drop those of everybody within minutes.
 */
const changesMax = 300

/** Users counted in a window. All later ones share one count. */
const usersMax = 10_000
const others = 'others'

/** Counts what users change, in fixed windows. Only in memory: a restart resets it. */
export class ChangeLimit {
  readonly #clock: Pick<Clock, 'now'>
  readonly #counts = new CountTable(usersMax)
  #startsAt: EpochMs = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** @throws GatewayError RATE_LIMIT_EXCEEDED */
  count(userId: string): void {
    const now = this.#clock.now()
    const startsAt = now - (now % windowMs)
    if (startsAt !== this.#startsAt) {
      this.#startsAt = startsAt
      this.#counts.clear()
    }
    const subject = this.#counts.holds([userId]) ? userId : others
    if (this.#counts.count(subject) >= changesMax) {
      throw new GatewayError({
        reason: 'RATE_LIMIT_EXCEEDED',
        message: `The limit of ${changesMax} changes in 15 minutes is reached. Try again after Retry-After seconds.`,
        retryAfterMs: startsAt + windowMs - now,
      })
    }
    this.#counts.add(subject, 1)
  }
}
