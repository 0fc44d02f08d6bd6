import type { RateWindow } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { judge, networkLimits } from '../base/rateLimits.ts'
import type { Logger } from '../telemetry/log.ts'
import { type CountedSubjects, LimitTables, prefixes, type TableName, tableNames } from './limitTables.ts'

export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsInMs: number
  /** The first refusal of this subject in its window. Only this one is logged. */
  readonly isFirstRefusal: boolean
}

/**
 * Counts requests per address and per key in fixed windows and never admits more than a limit. When one process owns
 * the database, it answers at once (`Limiter`), else when the database has answered (`SharedLimiter`).
 */
export interface RateLimiter {
  /**
   * Counts a request of an address before its key is checked.
   * @param networks of the address, the narrowest first
   * @param limit requests per window; a refused request does not count
   * @returns null when it cannot be counted yet: call `admitBeyond` once the key is known
   */
  admitAddress(networks: readonly string[], limit: number): Admission | null | Promise<Admission | null>
  /** Counts a request of an address for which `admitAddress` had no count. */
  admitBeyond(networks: readonly string[], limit: number, hasValidKey: boolean): Admission | Promise<Admission>
  /** Counts a request of a valid key. */
  admitKey(keyId: string, limit: number): Admission | Promise<Admission>
}

/** Counts are stored at most this long after the request, so that they survive a restart. */
const persistMs = 50

/** The counts are in memory and stored from time to time: one process decides, so no request waits for the disk. */
export class Limiter implements RateLimiter {
  readonly #parts: { write: StoreWrites; clock: Clock; log: Logger }
  readonly #tables: LimitTables
  readonly #unsaved = new Map<string, { table: TableName; subject: string }>()

  constructor(parts: { write: StoreWrites; clock: Clock; log: Logger }, windows: readonly RateWindow[]) {
    this.#parts = parts
    this.#tables = new LimitTables(parts.clock, () => this.#unsaved.clear())
    for (const { subject, startsAt, count } of windows) {
      if (startsAt !== this.#tables.startsAt) continue
      for (const name of tableNames) {
        if (subject.startsWith(prefixes[name])) this.#tables.of(name).set(subject.slice(prefixes[name].length), count)
      }
    }
  }

  admitAddress(networks: readonly string[], limit: number): Admission | null {
    const counted = this.#tables.countsOfAddress(networks)
    return counted && this.#admit(counted, limit)
  }

  admitBeyond(networks: readonly string[], limit: number, hasValidKey: boolean): Admission {
    return this.#admit(this.#tables.countsBeyond(networks, hasValidKey), limit)
  }

  admitKey(keyId: string, limit: number): Admission {
    return this.#admit(this.#tables.countsOfKey(keyId), limit)
  }

  /** Stores the counts since the last write. */
  async save(): Promise<void> {
    // Counts of a window that is over are dropped.
    const { startsAt } = this.#tables
    const windows = [...this.#unsaved].map(([stored, { table, subject }]) => ({
      subject: stored,
      startsAt,
      count: this.#tables.of(table).count(subject),
    }))
    this.#unsaved.clear()
    if (windows.length === 0) return
    try {
      await this.#parts.write.countRequests({ windows })
    } catch (error) {
      this.#parts.log.error({ err: error }, 'rate windows could not be stored')
    }
  }

  /**
   * Counts the request for all subjects if each has one left, else for none. @returns the state of the tightest limit
   */
  #admit({ table, subjects }: CountedSubjects, limit: number): Admission {
    const counts = this.#tables.of(table)
    const resetsInMs = this.#tables.endsInMs
    const verdict = judge(
      subjects.map(subject => counts.count(subject)),
      networkLimits(subjects, limit),
    )
    const { admitted, tightest, remaining } = verdict
    if (!admitted) {
      const isFirstRefusal = this.#tables.isFirstRefusal(prefixes[table] + (subjects[tightest] ?? ''))
      return { admitted, limit: verdict.limit, remaining, resetsInMs, isFirstRefusal }
    }
    for (const subject of subjects) {
      counts.set(subject, counts.count(subject) + 1)
      if (this.#unsaved.size === 0) this.#parts.clock.setTimer(persistMs, () => void this.save())
      this.#unsaved.set(prefixes[table] + subject, { table, subject })
    }
    return { admitted, limit: verdict.limit, remaining, resetsInMs, isFirstRefusal: false }
  }
}
