import type { Pool } from './open.ts'

/** The tables that grow with each message. */
const tables = 'messages, message_events, message_contents, idempotency_keys'
/** Below it, reading a whole table is as fast as an index. */
const firstAfter = 500
/** The next time is when there are this many times as many: a start costs a handful of them, of some 100 ms each. */
const growth = 4

/**
 * A connection keeps the plan of a statement that it has run a few times. A plan that was made while the tables were
 * almost empty reads all of them, and the server itself finds out only a minute or more later: at 30,000 messages,
 * callbacks took 50 % longer, and more with each further message. So the tables are analysed as they grow, which makes
 * the server plan again.
 * @returns a function to report how many messages have changed
 */
export function statisticsFollowGrowth(pool: Pick<Pool, 'query'>): (messages: number) => void {
  let noted = 0
  let next = firstAfter
  return messages => {
    noted += messages
    if (noted < next) return
    while (next <= noted) next *= growth
    // Another instance may be doing it. A failure costs only speed.
    pool.query(`ANALYZE (SKIP_LOCKED) ${tables}`).catch(() => {})
  }
}
