import { beforeEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { Instance } from '../../../db/postgres/instances.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { DatabaseClock } from '../../../src/base/databaseClock.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { ManualClock } from '../../clock.ts'
import { hasPostgres } from '../../postgres.ts'
import { type PostgresDatabase, postgresDatabase } from './database.ts'

/** Less than what a test is about, and more than a loaded machine needs. */
const soonMs = 60_000

describe.skipIf(!hasPostgres)('the clock of the database', () => {
  const current = postgresDatabase('new')
  let database: PostgresDatabase
  beforeEach(async () => {
    database = current()
    // As on a server that has taken over, whose clock is another one. Connections from now on find this function first.
    await database.pool.query('CREATE TABLE other_server (ahead interval)')
    await database.pool.query("INSERT INTO other_server VALUES ('0')")
    await database.pool.query(
      `CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
       AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM other_server'`,
    )
    const name = new URL(database.url).pathname.slice(1)
    await database.pool.query(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`)
  })
  const setAhead = (hours: number) => database.pool.query(`UPDATE other_server SET ahead = '${hours} hours'`)
  const isNear = (time: number, expected: number) => Math.abs(time - expected) < soonMs

  test('is followed from the start, and from the next heartbeat when another server has taken over', async () => {
    await setAhead(7)
    const pool = openPool(database.url)
    const lines: { level: number; msg: string }[] = []
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    // It stands still: the test makes the heartbeats.
    const machine = new ManualClock(Date.now())
    const clock = new DatabaseClock(machine)
    const instance = await Instance.start({ pool, name: 'test', clock, log })
    try {
      expect(isNear(clock.now(), machine.now() + 7 * hourMs)).toBe(true)
      await setAhead(-3)
      await instance.beat()
      expect(isNear(clock.now(), machine.now() - 3 * hourMs)).toBe(true)
      await instance.beat()
      await setAhead(0)
      await instance.beat()
      expect(isNear(clock.now(), machine.now())).toBe(true)
      await instance.beat()
      expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
        [50, 'the clock of this machine differs from that of the database: correct it'],
        [30, 'the clock of this machine agrees with that of the database again'],
      ])
    } finally {
      await instance.stop()
      await pool.close()
    }
  })

  test('is asked once by a command, and dates what it changes', async () => {
    await setAhead(7)
    const clock = new DatabaseClock(new ManualClock(0))
    const store = await openPostgresStore({ url: database.url, clock, log: silentLogger, auditedAs: 'cli:ada' })
    try {
      const workspace = { id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: store.clock.now() }
      await store.write.createWorkspace(workspace)
      const [entry] = await store.read.auditEntries({ limit: 1 })
      expect(isNear(entry?.at ?? 0, Date.now() + 7 * hourMs)).toBe(true)
    } finally {
      await store.close()
    }
  })
})
