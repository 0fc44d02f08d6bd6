import type { Clock } from '../../src/base/clock.ts'
import { FailureSpell } from '../../src/base/failureSpell.ts'
import type { Logger } from '../../src/telemetry/log.ts'
import type { LockHolder } from '../contract/shared.ts'
import { openPool, type Pool } from './open.ts'
import { reading } from './transaction.ts'

/** How often it is looked whether a lock that was found is still held. */
const lookEveryMs = 5_000
/** The look reads no table of ours: it waits for none of these locks. */
const lookMsMax = 2_500
/** Locks of working statements are held for milliseconds. */
const heldSecondsMin = 1

/**
 * Finds who has locked a table against writes, and who holds rows or tables that somebody waits for; not those that
 * wait themselves. No text of a statement is read: it may hold data. Roles without `pg_read_all_stats` do not see since
 * when others hold something.
 */
const findHolders = `
  WITH tables AS (
    SELECT oid, relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('messages'))
  ), blocking AS (
    SELECT unnest(pg_blocking_pids(pid)) AS pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query_start < clock_timestamp() - interval '${heldSecondsMin} s'
  ), held AS (
    SELECT pid, string_agg(DISTINCT mode || ' on ' || relname, ', ') AS locks
    FROM pg_locks JOIN tables ON relation = tables.oid
    WHERE granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    GROUP BY pid
  )
  SELECT pid, application_name AS application, floor(extract(epoch FROM xact_start) * 1000)::float8 AS since, locks,
    (SELECT count(*) FROM blocking WHERE blocking.pid = activity.pid)::float8 AS waiting
  FROM pg_stat_activity AS activity LEFT JOIN held USING (pid)
  WHERE pid <> pg_backend_pid() AND wait_event_type IS DISTINCT FROM 'Lock'
    AND (pid IN (SELECT pid FROM blocking)
      OR locks IS NOT NULL AND coalesce(xact_start < clock_timestamp() - interval '${heldSecondsMin} s', true))
  ORDER BY xact_start`

/** @returns who holds locks that sends wait for, or would wait for; the longest first */
export const holdersOn = ({ query }: Pick<Pool, 'query'>) => query<LockHolder>(findHolders)

/** What an instance knows of locks that others hold. It looks once a statement of its own has waited for too long. */
export class LockWatch {
  readonly #parts: { readonly url: string; readonly clock: Clock; readonly log: Logger }
  readonly #held = new FailureSpell()
  #holders: readonly LockHolder[] = []
  #timeouts = 0
  /** Since the last look. */
  #late = 0
  #isLooking = false
  #isStopped = false
  #cancelTimer = () => {}

  constructor(parts: { url: string; clock: Clock; log: Logger }) {
    this.#parts = parts
  }

  read() {
    return { holders: this.#holders, timeouts: this.#timeouts }
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  /** A statement was given up: perhaps it has waited for a lock. */
  late(): void {
    this.#late += 1
    if (!this.#isLooking && !this.#isStopped) void this.#look()
  }

  /** With a connection of its own: all of the pool may wait. */
  async #look(): Promise<void> {
    const { url, clock, log } = this.#parts
    this.#isLooking = true
    this.#cancelTimer()
    const own = openPool(url, 1)
    try {
      this.#holders = await reading(own, () => holdersOn(own), lookMsMax)
    } catch {
      // Without an answer it stays as it is: what is wrong with the server is logged by who needs it.
    } finally {
      this.#isLooking = false
      void own.close()
    }
    const holders = this.#holders
    if (holders.length > 0) {
      this.#timeouts += this.#late
      this.#held.failed(() => log.error({ holders }, 'somebody holds a lock in the database: calls are refused'))
      if (!this.#isStopped) this.#cancelTimer = clock.setTimer(lookEveryMs, () => void this.#look())
    } else this.#held.worked(() => log.info('the lock in the database was released'))
    this.#late = 0
  }
}
