import type { Shared } from '../../db/contract/shared.ts'
import type { Clock } from '../base/clock.ts'
import { networkLimits, rateWindowMs } from '../base/rateLimits.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import type { Admission, RateLimiter } from './limiter.ts'
import { type CountedSubjects, LimitTables, prefixes, sharedSubjects } from './limitTables.ts'

/**
 * Asks the database, which counts for all instances: together they never admit more than a limit. The requests of one
 * turn of the event loop are one database step. Only where a request is counted is decided here: the tables are bounded
 * like those of a single instance, so that strangers with many networks cannot fill the database either.
 */
export class SharedLimiter implements RateLimiter {
  readonly #shared: Pick<Shared, 'admit'>
  /**
   * By the database's time as this instance keeps it: at worst a count or a refusal of the previous window is forgotten
   * late.
   */
  readonly #tables: LimitTables

  constructor({ shared, clock }: { shared: Pick<Shared, 'admit'>; clock: Pick<Clock, 'now'> }) {
    this.#shared = shared
    this.#tables = new LimitTables(clock)
  }

  async admitAddress(networks: readonly string[], limit: number): Promise<Admission | null> {
    const counted = this.#tables.countsOfAddress(networks)
    return counted && this.#admit(counted, limit)
  }

  async admitBeyond(networks: readonly string[], limit: number, hasValidKey: boolean): Promise<Admission> {
    return this.#admit(this.#tables.countsBeyond(networks, hasValidKey), limit)
  }

  async admitKey(keyId: string, limit: number): Promise<Admission> {
    return this.#admit(this.#tables.countsOfKey(keyId), limit)
  }

  async #admit({ table, subjects }: CountedSubjects, limit: number): Promise<Admission> {
    const counts = this.#tables.of(table)
    // Takes the room; the database has the counts.
    for (const subject of subjects) counts.set(subject, 1)
    const limits = networkLimits(subjects, limit)
    // A network has one count in the database, whichever table of this instance counts it.
    const prefix = table === 'caller' && subjects !== sharedSubjects ? prefixes.address : prefixes[table]
    const request = {
      subjects: subjects.map((name, at) => ({ subject: prefix + name, limit: limits[at] ?? 0 })),
    }
    const [admission] = await this.#shared.admit({ requests: [request], windowMs: rateWindowMs }).catch(notCounted)
    if (!admission) throw new Error('the database has not answered a request')
    const { subject, admitted, remaining, resetsInMs } = admission
    const isFirstRefusal = !admitted && this.#tables.isFirstRefusal(subject)
    return { admitted, limit: admission.limit, remaining, resetsInMs, isFirstRefusal }
  }
}

/** Whether the request was counted is unknown then. It is refused, and one count too many does no harm. */
function notCounted(error: unknown): never {
  throw error instanceof OutcomeUnknown ? new Unavailable(error.message) : error
}
