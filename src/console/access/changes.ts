import type { Clock } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { WindowLimit } from '../../http/windowLimit.ts'

/**
 * Changes and sign-ins of one user in a window: one every three seconds, more than a person makes. The audit keeps a
 * bounded number of entries, so without it one user could drop those of everybody within minutes.
 */
const changesMax = 300

/** Users counted in a window. All later ones share one count. */
const usersMax = 10_000

/** Counts what users change. */
export class ChangeLimit {
  readonly #limit: WindowLimit

  constructor(clock: Pick<Clock, 'now'>) {
    this.#limit = new WindowLimit(clock, { max: changesMax, subjectsMax: usersMax })
  }

  /** @throws GatewayError RATE_LIMIT_EXCEEDED */
  count(userId: string): void {
    const retryAfterMs = this.#limit.count(userId)
    if (retryAfterMs === null) return
    throw new GatewayError({
      reason: 'RATE_LIMIT_EXCEEDED',
      message: `The limit of ${changesMax} changes in 15 minutes is reached. Try again after Retry-After seconds.`,
      retryAfterMs,
    })
  }
}
