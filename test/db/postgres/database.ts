import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { migrate } from '../../../db/postgres/migrate.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import { type PostgresServer, startPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'

/** An empty, migrated database of the current test. */
export interface PostgresDatabase {
  readonly url: string
  readonly pool: Pool
  readonly verbs: ReturnType<typeof inTransactions>
}

/**
 * One server for the tests of a `describe`, and a database of its own for each.
 * @returns what gives the database of the current test
 */
export function postgresDatabase(): () => PostgresDatabase {
  let server: PostgresServer
  let current: PostgresDatabase | null = null
  beforeAll(async () => {
    // No test here asks what is left after the machine has lost its power.
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    const url = await server.createDatabase()
    const pool = openPool(url)
    current = { url, pool, verbs: inTransactions(pool) }
    await migrate(pool, t0)
  })
  afterEach(async () => {
    await current?.pool.close()
    current = null
  })
  return () => {
    if (current === null) throw new Error('there is a database only while a test runs')
    return current
  }
}
