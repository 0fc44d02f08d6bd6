import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { migrate } from '../../../db/postgres/migrate.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { inTransactions } from '../../../db/postgres/writes.ts'
import { type PostgresServer, startPostgres, unsynced } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import type { Plan } from '../plans.ts'
import { type Asked, askedOf, plansOf } from './plans.ts'

/** An empty, migrated database of the current test. */
export interface PostgresDatabase {
  readonly url: string
  readonly pool: Pool
  readonly verbs: ReturnType<typeof inTransactions>
}

/**
 * Deletes every row, whatever refers to what. Making another database takes a hundred times as long.
 * @param kept tables that keep their rows
 */
export const emptying = (...kept: readonly string[]): string => `DO $$
  DECLARE name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN
      SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('${['migrations', ...kept].join("', '")}')
    LOOP
      EXECUTE 'DELETE FROM ' || quote_ident(name);
    END LOOP;
  END
$$`

/** Sequences begin anew, so that a test knows which numbers its rows get. */
const restartingSequences = 'SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence'

/** Migrated databases of a server for tests that change rows alone: what one test has left is emptied for the next. */
export class Databases {
  readonly #server: PostgresServer
  readonly #free: string[] = []

  private constructor(server: PostgresServer) {
    this.#server = server
  }

  /** Starts the server. No test here asks what is left after the machine has lost its power. */
  static start = async (settings = {}) => new Databases(await startPostgres({ ...unsynced, ...settings }))

  /** What a server that is `telling` was asked. */
  asked = () => askedOf(this.#server.folder)

  /** How it runs statements in a large database of its own. */
  plans = async (asked: readonly Asked[]): Promise<Plan[]> =>
    plansOf(await this.#server.createDatabase(), this.#server.folder, asked)

  /** @returns the URL of an empty one, which nobody else has until it is given back */
  async take(): Promise<string> {
    const free = this.#free.pop()
    const url = free ?? (await this.#server.createDatabase())
    const pool = openPool(url, 1)
    if (free === undefined) await migrate(pool, t0)
    else {
      await pool.query(emptying())
      await pool.query(restartingSequences)
    }
    await pool.close()
    return url
  }

  giveBack(url: string): void {
    this.#free.push(url)
  }

  stop = () => this.#server.remove()
}

/**
 * One server for the tests of a `describe`, and an empty database for each.
 * @param each `emptied`: what the tests before it had. `new`: for tests that change the schema or the settings of the
 *   database, or ask how the server plans its work, by what it knows of the tables
 * @returns what gives the database of the current test
 */
export function postgresDatabase(each: 'emptied' | 'new' = 'emptied'): () => PostgresDatabase {
  let databases: Databases
  let current: PostgresDatabase | null = null
  beforeAll(async () => {
    databases = await Databases.start()
  })
  afterAll(() => databases.stop())
  beforeEach(async () => {
    const url = await databases.take()
    const pool = openPool(url)
    current = { url, pool, verbs: inTransactions(pool) }
  })
  afterEach(async () => {
    await current?.pool.close()
    if (current !== null && each === 'emptied') databases.giveBack(current.url)
    current = null
  })
  return () => {
    if (current === null) throw new Error('there is a database only while a test runs')
    return current
  }
}
