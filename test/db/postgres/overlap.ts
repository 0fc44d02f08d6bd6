import { type Connection, openPool } from '../../../db/postgres/open.ts'
import { type Isolation, inTransaction } from '../../../db/postgres/transaction.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import type { PostgresDatabase } from './database.ts'

/**
 * Runs a transaction and a call of another instance at once: the transaction does its work, the call begins, and the
 * transaction commits only when the call has ended or waits for a lock.
 * @param work runs again when it collides
 * @param call of the other instance, which has connections of its own
 */
export async function overlapping<First, Second>(
  { url, pool }: PostgresDatabase,
  isolation: Isolation,
  work: (connection: Connection) => Promise<First>,
  call: (verbs: PostgresDatabase['verbs']) => Promise<Second>,
): Promise<[First, Second]> {
  const other = openPool(url, 4)
  let second: Promise<Second> | null = null
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  async function untilItWaits(): Promise<void> {
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while (!hasEnded && (await other.query(waiting)).length === 0);
  }

  try {
    const first = await inTransaction(pool, isolation, async connection => {
      const result = await work(connection)
      if (second === null) {
        second = call(inTransactions(other))
        await Promise.race([second.then(end, end), untilItWaits()])
      }
      return result
    })
    if (second === null) throw new Error('the transaction did not run')
    return [first, await second]
  } finally {
    hasEnded = true
    await other.close()
  }
}
