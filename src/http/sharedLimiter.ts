import type { Shared } from '../../db/shared.ts'
import type { Clock, EpochMs } from '../clock.ts'
import { WorkerLost, WorkerUnavailable } from '../queue/mailbox.ts'
import { networkLimits, rateWindowMs, windowStart } from '../rateLimits.ts'
import { FirstRefusals } from './firstRefusals.ts'
import type { Admission, RateLimiter } from './limiter.ts'
import { LimitTables, others, type Place, prefixes } from './limitTables.ts'

/**
 * Asks the database, which counts for all instances: together they never admit more than a limit. The requests of one turn
 * are one step of the database. Only where a request is counted is decided here: the tables are bounded as those of a
 * single instance, so that strangers with many networks cannot fill the database either.
 */
export class SharedLimiter implements RateLimiter {
  readonly #shared: Pick<Shared, 'admit'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #tables = new LimitTables()
  readonly #refusals = new FirstRefusals()
  #startsAt: EpochMs

  constructor({ shared, clock }: { shared: Pick<Shared, 'admit'>; clock: Pick<Clock, 'now'> }) {
    this.#shared = shared
    this.#clock = clock
    this.#startsAt = windowStart(clock.now())
  }

  async admitAddress(networks: readonly string[], limit: number): Promise<Admission | null> {
    this.#roll()
    const place = this.#tables.placeOfAddress(networks)
    return place && this.#admit(place, limit)
  }

  async admitBeyond(networks: readonly string[], limit: number, hasValidKey: boolean): Promise<Admission> {
    this.#roll()
    return this.#admit(this.#tables.placeBeyond(networks, hasValidKey), limit)
  }

  async admitKey(keyId: string, limit: number): Promise<Admission> {
    this.#roll()
    return this.#admit(this.#tables.placeOfKey(keyId), limit)
  }

  async #admit({ table, subjects }: Place, limit: number): Promise<Admission> {
    const places = this.#tables.of(table)
    // Takes the places; the counts are those of the database.
    for (const subject of subjects) places.set(subject, 1)
    const limits = networkLimits(subjects, limit)
    // A network has one count in the database, whichever table of this instance has a place for it.
    const prefix = table === 'caller' && subjects !== others ? prefixes.address : prefixes[table]
    const request = {
      subjects: subjects.map((name, at) => ({ subject: prefix + name, limit: limits[at] ?? 0 })),
    }
    const [admission] = await this.#shared.admit({ requests: [request], windowMs: rateWindowMs }).catch(notCounted)
    if (!admission) throw new Error('the database has not answered a request')
    const { subject, admitted, remaining, resetsInMs } = admission
    const isFirstRefusal = !admitted && this.#refusals.isFirst(subject)
    return { admitted, limit: admission.limit, remaining, resetsInMs, isFirstRefusal }
  }

  /** By the database's time as this instance keeps it: at worst a place or a refusal of the former window is forgotten late. */
  #roll() {
    const startsAt = windowStart(this.#clock.now())
    if (startsAt === this.#startsAt) return
    this.#startsAt = startsAt
    this.#tables.clear()
    this.#refusals.clear()
  }
}

/** Whether the request was counted is not known then. It is not answered, and one count too many harms nobody. */
function notCounted(error: unknown): never {
  throw error instanceof WorkerLost ? new WorkerUnavailable(error.message) : error
}
