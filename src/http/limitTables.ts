import type { Clock, EpochMs } from '../base/clock.ts'
import { CountTable, others as shared } from '../base/countTable.ts'
import { FixedWindow } from '../base/rateLimits.ts'
import { refusalsLoggedMax, tablesMax } from './limits.ts'

export type TableName = keyof typeof tablesMax
export const tableNames = ['address', 'caller', 'key'] as const satisfies readonly TableName[]
/** The prefixes of the stored subjects, by table. */
export const prefixes = { address: 'ip:', caller: 'caller:', key: 'key:' } as const satisfies Record<TableName, string>
/** The count that all subjects without a count of their own share. */
export const sharedSubjects = [shared] as const

/** The counts that a request raises: in one table, and there of these subjects. */
export interface CountedSubjects {
  readonly table: TableName
  readonly subjects: readonly string[]
}

/**
 * Where requests are counted. Callers without a key can fill the table of addresses, because an IPv6 network has more
 * addresses than memory can hold. After that, a new address is counted after its key was checked. With a valid key it
 * is counted in another table, which only valid keys reach. Without one it shares a count with all others.
 */
export class LimitTables {
  readonly #tables: Record<TableName, CountTable> = {
    address: new CountTable(tablesMax.address),
    caller: new CountTable(tablesMax.caller),
    key: new CountTable(tablesMax.key),
  }

  readonly #refused = new Set<string>()
  readonly #window: FixedWindow

  /** @param forget called at the end of a window: clears what else belongs to it */
  constructor(clock: Pick<Clock, 'now'>, forget = () => {}) {
    this.#window = new FixedWindow(clock, () => {
      for (const name of tableNames) this.#tables[name].clear()
      this.#refused.clear()
      forget()
    })
  }

  of(name: TableName): CountTable {
    return this.#tables[name]
  }

  /** When the current window started. */
  get startsAt(): EpochMs {
    return this.#window.advance()
  }

  get endsInMs(): number {
    return this.#window.endsInMs
  }

  /** @returns whether the subject was not refused in this window before: only the first refusal of each is logged */
  isFirstRefusal(subject: string): boolean {
    if (this.#refused.has(subject) || this.#refused.size >= refusalsLoggedMax) return false
    this.#refused.add(subject)
    return true
  }

  /**
   * @param networks of the address, the narrowest first
   * @returns null when they cannot be counted yet: ask `countsBeyond` once the key is known
   */
  countsOfAddress(networks: readonly string[]): CountedSubjects | null {
    this.#window.advance()
    const [narrowest = ''] = networks
    const { address, caller } = this.#tables
    if (caller.has(narrowest)) return { table: 'caller', subjects: networks }
    return address.has(narrowest) || address.holds(networks) ? { table: 'address', subjects: networks } : null
  }

  countsBeyond(networks: readonly string[], hasValidKey: boolean): CountedSubjects {
    this.#window.advance()
    if (!hasValidKey) return { table: 'address', subjects: sharedSubjects }
    return { table: 'caller', subjects: this.#tables.caller.holds(networks) ? networks : sharedSubjects }
  }

  countsOfKey(keyId: string): CountedSubjects {
    this.#window.advance()
    const own = [keyId]
    return { table: 'key', subjects: this.#tables.key.holds(own) ? own : sharedSubjects }
  }
}
