import { beforeEach, describe, expect, test } from 'bun:test'
import { statisticsFollowGrowth } from '../../../db/postgres/statistics.ts'
import { openPostgresStore } from '../../../db/postgres/store.ts'
import { minuteMs, secondMs } from '../../../src/base/durations.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { ManualClock } from '../../clock.ts'
import { hasPostgres } from '../../postgres.ts'
import { postgresDatabase } from './database.ts'

const contactsFrom = (
  first: number,
  last: number,
) => `INSERT INTO contacts (id, workspace_id, phone, created_at, updated_at)
  SELECT 'contact_' || n, 'ws_1', '+49' || n, 1, 1 FROM generate_series(${first}, ${last}) AS n`

describe.skipIf(!hasPostgres)('the statistics of PostgreSQL', () => {
  const current = postgresDatabase('new')
  beforeEach(async () => {
    await current().pool.query("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'Acme', 1)")
  })

  /** Each look at the tables, one after the other. */
  function looking() {
    let due = Promise.withResolvers<() => void>()
    let now = 0
    const stop = statisticsFollowGrowth(current().pool, current().url, {
      steady: () => now,
      setTimer: (_, fire) => {
        due.resolve(fire)
        return () => {}
      },
    })
    return {
      stop,
      async look(afterMs = minuteMs) {
        now += afterMs
        const fire = await due.promise
        due = Promise.withResolvers()
        fire()
        await due.promise
      },
    }
  }
  /** What the server takes a table for; -1: it has never looked. */
  const known = async (table: string) =>
    (
      await current().pool.query<{ rows: number }>(`SELECT reltuples AS rows FROM pg_class WHERE relname = '${table}'`)
    )[0]?.rows
  /** The server counts at once what it would count within a second. */
  const store = (statement: string) =>
    current().pool.client.begin(async transaction => {
      await transaction.unsafe(statement)
      await transaction.unsafe('SELECT pg_stat_force_next_flush()')
    })

  test('follow each table that grows, but not each of its rows', async () => {
    const { look, stop } = looking()
    await store(contactsFrom(1, 100))
    await look()
    expect(await known('contacts')).toBe(-1)

    await store(contactsFrom(101, 600))
    await look()
    expect([await known('contacts'), await known('inbound_messages')]).toEqual([600, -1])

    await store(contactsFrom(601, 2000))
    await look()
    expect(await known('contacts')).toBe(600)

    await store(contactsFrom(2001, 2400))
    await look()
    expect(await known('contacts')).toBe(2400)

    // The server may refuse: it is not asked at each look.
    await store(contactsFrom(2401, 9600))
    await look(minuteMs - 1)
    expect(await known('contacts')).toBe(2400)
    await look(1)
    expect(await known('contacts')).toBe(9600)
    stop()
  })

  test('are looked after by each instance of the gateway', async () => {
    const clock = new ManualClock()
    const gateway = await openPostgresStore({ url: current().url, clock, log: silentLogger })
    await store(contactsFrom(1, 600))
    clock.advance(secondMs * 2)
    while ((await known('contacts')) === -1);
    await gateway.close()
  })
})
