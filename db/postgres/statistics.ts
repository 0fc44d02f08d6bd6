import { getTableName } from 'drizzle-orm'
import type { Clock } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import { openPool, type Pool } from './open.ts'
import { tables } from './schema/tables.ts'
import { rareEndMsMax, reading } from './transaction.ts'

/** Until a table that has grown is found. */
const lookEveryMs = 2_000
/** The server itself looks once a minute. Where it refuses, each try is a line in its log. */
const restMs = minuteMs
/** To read a whole table with fewer rows is as fast as an index. */
const rowsMin = 500
/** A table is analysed again when it has this many times as many rows: each growth costs a handful of them. */
const growth = 4

/** The server counts rows that are stored and deleted, up to a second late. `reltuples` is of the last time, or -1. */
const findGrown = `SELECT name FROM unnest($1::text[]) AS name JOIN pg_class ON oid = to_regclass(name)
  WHERE pg_stat_get_live_tuples(oid) >= greatest(${rowsMin}, ${growth} * reltuples)`
const names = Object.values(tables).map(table => getTableName(table))

/**
 * A connection keeps the plan of a statement that it has run a few times. One that was made while a table was almost
 * empty reads all of it, or all that an index has of one workspace, and the server itself finds out only a minute or
 * more later: new people of whom each callback told were stored at a third of the speed after 2,000, and slower with
 * each further one. So tables are analysed as they grow, which makes the server plan again.
 * @param url of the same database
 * @returns ends it
 */
export function statisticsFollowGrowth(
  pool: Pick<Pool, 'query' | 'client' | 'onLate' | 'renew'>,
  url: string,
  clock: Pick<Clock, 'setTimer' | 'steady'>,
): () => void {
  const restUntil = new Map<string, number>()
  let isStopped = false
  let cancelTimer = () => {}

  async function look() {
    const grown = await reading(pool, () => pool.query<{ name: string }>(findGrown, [names]))
    const due = grown.filter(({ name }) => clock.steady() >= (restUntil.get(name) ?? 0))
    if (due.length > 0 && !isStopped) await analyse(due.map(({ name }) => name))
  }

  /** With a connection of its own: it may take seconds, and statements of the pool would wait behind it. */
  async function analyse(grown: readonly string[]) {
    const own = openPool(url, 1)
    try {
      for (const name of grown) {
        restUntil.set(name, clock.steady() + restMs)
        // Another instance may be doing it.
        if (!isStopped) await reading(own, () => own.query(`ANALYZE (SKIP_LOCKED) ${name}`), rareEndMsMax)
      }
    } finally {
      void own.close()
    }
  }

  function lookLater() {
    if (isStopped) return
    // A failure costs only speed.
    cancelTimer = clock.setTimer(
      lookEveryMs,
      () =>
        void look()
          .catch(() => {})
          .then(lookLater),
    )
  }

  lookLater()
  return () => {
    isStopped = true
    cancelTimer()
  }
}
