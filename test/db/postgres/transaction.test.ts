import { describe, expect, spyOn, test } from 'bun:test'
import { SQL } from 'bun'
import { inspectServer } from '../../../db/postgres/inspect.ts'
import { type Connection, openPool } from '../../../db/postgres/open.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import {
  endMsDefault,
  idleMsMax,
  inTransaction,
  lockMsMax,
  rareEndMsMax,
  reading,
} from '../../../db/postgres/transaction.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { Unavailable } from '../../../src/base/unavailable.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { hasPostgres } from '../../postgres.ts'
import { postgresDatabase } from './database.ts'

test('who waits for a row, and then for the table that its holder has waited for, is told in time', () => {
  expect(2 * lockMsMax).toBeLessThan(endMsDefault)
  expect(idleMsMax).toBeLessThan(lockMsMax)
})

test.each([
  ['a statement that may take longer', rareEndMsMax, rareEndMsMax],
  ['one that has to answer sooner: it may be the statement alone', lockMsMax, endMsDefault],
])('connections are given up when nothing came in the time of %s', async (_, endMsMax, givenUpMs) => {
  const timers: { readonly ms: number; readonly fire: () => void }[] = []
  const setTimer = spyOn(systemClock, 'setTimer').mockImplementation((ms, fire) => {
    timers.push({ ms, fire })
    return () => {}
  })
  const client = new SQL({ url: 'postgres://nobody@127.0.0.1/nothing' })
  const answer = Promise.withResolvers<string>()
  const givenUp: number[] = []
  let now = 0
  const pool = { client, onLate: () => {}, renew: () => void givenUp.push(now) }
  const read = reading(pool, () => answer.promise, endMsMax)
  setTimer.mockRestore()
  answer.resolve('in time')
  expect(await read).toBe('in time')
  for (const { ms, fire } of timers) {
    now = ms
    fire()
  }
  expect(givenUp).toEqual([givenUpMs])
})

/** Far longer than the server waits here, and the process notices nothing meanwhile. */
const stillMs = 200

describe.skipIf(!hasPostgres)('a transaction in a process that stood still for too long', () => {
  const current = postgresDatabase()

  async function standStill({ query }: Connection) {
    await query(`INSERT INTO properties (name, value) VALUES ('left', 'half-way')`)
    await query(`SET LOCAL idle_in_transaction_session_timeout = 20`)
    Bun.sleepSync(stillMs)
  }
  const expectNothingStored = async (work: (connection: Connection) => Promise<unknown>) => {
    const { pool } = current()
    const failure = await inTransaction(pool, 'read committed', work).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Unavailable)
    expect(await pool.query(`SELECT * FROM properties WHERE name = 'left'`)).toEqual([])
  }

  test('is unavailable, and nothing is stored, when it still had to ask', () =>
    expectNothingStored(async connection => {
      await standStill(connection)
      await connection.query('SELECT 1')
    }))

  test('is unavailable, and nothing is stored, when it only had to commit', () => expectNothingStored(standStill))
})

describe.skipIf(!hasPostgres)('a connection without a search path, as pg_dump leaves it to those after it', () => {
  const current = postgresDatabase('new')

  test('finds no table of ours: calls are unavailable, and the database does not count as empty', async () => {
    const { url, pool } = current()
    await pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = ''`)
    const own = openPool(url, 1)
    const calls = [
      reading(own, () => own.query('SELECT * FROM properties')),
      inTransaction(own, 'read committed', ({ query }) => query('SELECT lock_acceptances_1($1)', [['msg_1']])),
      inspectServer(url),
      openPostgresStore({ url, clock: systemClock, log: silentLogger }),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      const failure: unknown = outcome.status === 'rejected' ? outcome.reason : null
      expect(failure).toBeInstanceOf(Unavailable)
      expect(String(failure)).toContain('RECONNECT')
    }
    await own.close()
  })
})

describe.skipIf(!hasPostgres)('a pooler that keeps no account of prepared statements', () => {
  const current = postgresDatabase()

  test.each([
    ['one is there already', 'PREPARE known AS SELECT 1', 'PREPARE known AS SELECT 1'],
    ['one is not there', 'SELECT 1', 'EXECUTE unknown'],
  ])('is told by the setting that helps: %s', async (_, before, statement) => {
    const failure = await inTransaction(current().pool, 'read committed', async ({ query }) => {
      await query(before)
      await query(statement)
    }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Unavailable)
    expect(String(failure)).toContain('add prepare=false to DATABASE_URL')
  })

  test.each([
    ['a write', false],
    ['a read', true],
  ])('nothing is stored where it does not even begin, with %s', async (_, readsFirst) => {
    const pool = openPool(current().url, 1)
    const put = (name: string) => {
      const work = async ({ query }: Connection) => {
        if (readsFirst) await query(`SELECT '${name}'`)
        await query(`INSERT INTO properties (name, value) VALUES ('${name}', '')`)
      }
      return inTransaction(pool, 'read committed', work, { readsFirst })
    }
    try {
      await put('before')
      // The server forgets what was prepared, and takes what is new.
      await pool.query('DEALLOCATE ALL')
      expect(String(await put('left').catch((error: unknown) => error))).toContain('add prepare=false to DATABASE_URL')
      expect(await current().pool.query(`SELECT * FROM properties WHERE name = 'left'`)).toEqual([])
    } finally {
      await pool.close()
    }
  })
})
