import type { Clock } from '../../src/base/clock.ts'
import type { Pool } from './open.ts'
import { rareEndMsMax, reading } from './transaction.ts'

/** The server itself looks once a minute. */
const lookEveryMs = 2_000
/** To read a whole table with fewer rows is as fast as an index. */
const rowsMin = 500
/** A table is analysed again when it has this many times as many rows: each growth costs a handful of them. */
const growth = 4

/** The server counts rows that are stored and deleted, up to a second late. `reltuples` is of the last time, or -1. */
const findGrown = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('messages'))
    AND pg_stat_get_live_tuples(oid) >= greatest(${rowsMin}, ${growth} * reltuples)`

/**
 * A connection keeps the plan of a statement that it has run a few times. One that was made while a table was almost
 * empty reads all of it, or all that an index has of one workspace, and the server itself finds out only a minute or
 * more later: new people of whom each callback told were stored at a third of the speed after 2,000, and slower with
 * each further one. So tables are analysed as they grow, which makes the server plan again.
 * @returns ends it
 */
export function statisticsFollowGrowth(
  pool: Pick<Pool, 'query' | 'client' | 'onLate' | 'renew'>,
  clock: Pick<Clock, 'setTimer'>,
): () => void {
  let isStopped = false
  let cancelTimer = () => {}

  async function look() {
    const grown = await reading(pool, () => pool.query<{ name: string }>(findGrown))
    if (grown.length === 0) return
    const tables = grown.map(({ name }) => name).join(', ')
    // Another instance may be doing it.
    await reading(pool, () => pool.query(`ANALYZE (SKIP_LOCKED) ${tables}`), rareEndMsMax)
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
