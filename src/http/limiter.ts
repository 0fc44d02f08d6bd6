import type { RateWindow } from '../../db/records.ts'
import type { StoreWrites } from '../../db/store.ts'
import type { Clock, EpochMs } from '../clock.ts'
import type { Logger } from '../log.ts'
import { CountTable } from './countTable.ts'

/** docs/partner-api.md#rate-limits: both limits count over 15 minutes. Windows are aligned to the clock. */
export const rateWindowMs = 900_000

export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsInMs: number
  /** The first refusal of this subject in its window. Only this one is logged. */
  readonly isFirstRefusal: boolean
}

/** Counts are stored at most this long after the request, so that they survive a restart. */
const persistMs = 50
/**
 * The sizes of three tables: addresses in a window (some 20 MB); addresses with a valid key after the first table is
 * full; keys. All later entries of a table share one count, so that memory stays bounded.
 */
const tablesMax = { address: 200_000, caller: 50_000, key: 100_000 } as const
type TableName = keyof typeof tablesMax
/** The prefixes of the stored subjects, by table. */
const prefixes = { address: 'ip:', caller: 'caller:', key: 'key:' } as const satisfies Record<TableName, string>
const others = 'others'
/**
 * The limits of the networks around an address, as multiples of the limit of an address: four for an IPv6 /56, sixteen
 * for a /48. So the owner of a whole network cannot multiply the limit by its size, and neighbours rarely reach it.
 */
const networkShares = [1, 4, 16] as const
/** Refusals that are logged in a window. A caller with many networks must not fill the log. */
const refusalsLoggedMax = 100

/**
 * Counts requests per address and per key in fixed windows and never admits more than a limit. The counts are in memory
 * and stored from time to time: one process decides, so no request waits for the disk.
 *
 * Callers without a key can fill the table of addresses, because an IPv6 network has more addresses than memory can
 * hold. After that, a new address is counted after its key was checked. With a valid key it is counted in another
 * table, which only valid keys reach. Without one it shares a count with all others.
 */
export class Limiter {
  readonly #parts: { write: StoreWrites; clock: Clock; log: Logger }
  readonly #tables: Record<TableName, CountTable> = {
    address: new CountTable(tablesMax.address),
    caller: new CountTable(tablesMax.caller),
    key: new CountTable(tablesMax.key),
  }
  readonly #unsaved = new Map<string, { table: TableName; subject: string }>()
  readonly #refused = new Set<string>()
  #startsAt: EpochMs

  constructor(parts: { write: StoreWrites; clock: Clock; log: Logger }, windows: readonly RateWindow[]) {
    this.#parts = parts
    this.#startsAt = windowStart(parts.clock.now())
    for (const { subject, startsAt, count } of windows) {
      if (startsAt !== this.#startsAt) continue
      for (const name of ['address', 'caller', 'key'] as const) {
        if (subject.startsWith(prefixes[name])) this.#tables[name].set(subject.slice(prefixes[name].length), count)
      }
    }
  }

  /**
   * Counts a request of an address before its key is checked.
   * @param networks of the address, the narrowest first
   * @param limit requests per window; a refused request does not count
   * @returns null when it cannot be counted yet: call `admitBeyond` once the key is known
   */
  admitAddress(networks: readonly string[], limit: number): Admission | null {
    this.#roll()
    const [narrowest = ''] = networks
    if (this.#tables.caller.has(narrowest)) return this.#admit('caller', networks, limit)
    const isCounted = this.#tables.address.has(narrowest) || this.#tables.address.holds(networks)
    return isCounted ? this.#admit('address', networks, limit) : null
  }

  /** Counts a request of an address for which `admitAddress` had no place. */
  admitBeyond(networks: readonly string[], limit: number, hasValidKey: boolean): Admission {
    this.#roll()
    if (!hasValidKey) return this.#admit('address', [others], limit)
    return this.#admit('caller', this.#tables.caller.holds(networks) ? networks : [others], limit)
  }

  /** Counts a request of a valid key. */
  admitKey(keyId: string, limit: number): Admission {
    this.#roll()
    return this.#admit('key', this.#tables.key.holds([keyId]) ? [keyId] : [others], limit)
  }

  /** Stores the counts since the last write. */
  async save(): Promise<void> {
    const windows = [...this.#unsaved].map(([stored, { table, subject }]) => ({
      subject: stored,
      startsAt: this.#startsAt,
      count: this.#tables[table].count(subject),
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
  #admit(table: TableName, subjects: readonly string[], limit: number): Admission {
    const counts = this.#tables[table]
    const resetsInMs = this.#startsAt + rateWindowMs - this.#parts.clock.now()
    let tightest = { limit, remaining: Number.POSITIVE_INFINITY, subject: '' }
    subjects.forEach((subject, at) => {
      const own = limit * (networkShares[at] ?? 1)
      const remaining = own - counts.count(subject)
      if (remaining < tightest.remaining) tightest = { limit: own, remaining, subject }
    })
    if (tightest.remaining <= 0) {
      const isFirstRefusal = this.#isFirstRefusal(prefixes[table] + tightest.subject)
      return { admitted: false, limit: tightest.limit, remaining: 0, resetsInMs, isFirstRefusal }
    }
    for (const subject of subjects) {
      counts.set(subject, counts.count(subject) + 1)
      if (this.#unsaved.size === 0) this.#parts.clock.setTimer(persistMs, () => void this.save())
      this.#unsaved.set(prefixes[table] + subject, { table, subject })
    }
    const { limit: told, remaining } = tightest
    return { admitted: true, limit: told, remaining: remaining - 1, resetsInMs, isFirstRefusal: false }
  }

  #isFirstRefusal(subject: string): boolean {
    if (this.#refused.has(subject) || this.#refused.size >= refusalsLoggedMax) return false
    this.#refused.add(subject)
    return true
  }

  #roll() {
    const startsAt = windowStart(this.#parts.clock.now())
    if (startsAt === this.#startsAt) return
    this.#startsAt = startsAt
    for (const table of Object.values(this.#tables)) table.clear()
    this.#unsaved.clear()
    this.#refused.clear()
  }
}

export const windowStart = (at: EpochMs): EpochMs => at - (at % rateWindowMs)
