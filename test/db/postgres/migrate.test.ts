import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MigrationNews } from '../../../db/migrations.ts'
import { inspectServer } from '../../../db/postgres/inspect.ts'
import { leaseMs } from '../../../db/postgres/instances.ts'
import { migrate } from '../../../db/postgres/migrate.ts'
import { MIGRATIONS } from '../../../db/postgres/migrations/list.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgres, type PostgresServer, startPostgres, unsynced } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { countedInbound, heardInbound, numberedInbound, olderInbound } from '../olderInbound.ts'
import { ceilings, olderLimits } from '../olderLimits.ts'

describe.skipIf(!hasPostgres)('migrating on PostgreSQL', () => {
  let server: PostgresServer
  let pool: Pool
  beforeAll(async () => {
    server = await startPostgres(unsynced)
    pool = openPool(await server.createDatabase())
  })
  afterAll(async () => {
    await pool.close()
    await server.remove()
  })

  test('several instances may start at once on an empty database', async () => {
    const url = await server.createDatabase()
    const pools = [1, 2, 3].map(() => openPool(url, 2))
    await Promise.all(pools.map(each => migrate(each, t0)))
    await Promise.all(pools.map(each => each.close()))
  })

  test('what users sent is numbered as it came, but for what is of another workspace, and is all read', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name === '0004_events')
    await migrate(pool, t0, MIGRATIONS.slice(0, before))
    for (const statement of olderInbound.split(';\n')) await pool.query(statement)
    await migrate(pool, t0)
    const rows = await pool.query<{ id: string; workspaceId: string; seq: number }>(
      `SELECT channel_message_id AS id, workspace_id AS "workspaceId", seq::float8 AS seq FROM inbound_messages ORDER BY 1`,
    )
    expect<unknown>(rows.map(({ id, workspaceId, seq }) => [id, workspaceId, seq])).toEqual(numberedInbound)
    const counters = await pool.query<{ id: string; last: number }>(
      'SELECT workspace_id AS id, last::float8 AS last FROM event_counters ORDER BY 1',
    )
    expect<unknown>(counters.map(({ id, last }) => [id, last])).toEqual(countedInbound)
    const contacts = await pool.query<{ id: string; heard: number | null; read: number }>(
      'SELECT id, heard_seq::float8 AS heard, read_seq::float8 AS read FROM contacts ORDER BY 1',
    )
    expect<unknown>(contacts.map(({ id, heard, read }) => [id, heard, read])).toEqual(heardInbound)
  })

  test('a limit that no owner has set was the operator’s', async () => {
    const older = openPool(await server.createDatabase())
    const before = MIGRATIONS.filter(({ name }) => name < '0017_monthly_ceilings')
    await migrate(older, t0, before)
    for (const statement of olderLimits.split(';\n')) await older.query(statement)
    await migrate(older, t0)
    const rows = await older.query<{ id: string; ceiling: number | null }>(
      'SELECT id, monthly_ceiling::float8 AS ceiling FROM workspaces ORDER BY 1',
    )
    expect<unknown>(rows.map(({ id, ceiling }) => [id, ceiling])).toEqual(ceilings)
    await older.close()
  })

  describe('beside an instance of an older schema', () => {
    let url: string
    let older: Pool
    const ahead = [...MIGRATIONS, { name: '9999_later', sql: 'CREATE TABLE later (a text)' }]
    const upgrade = (options: Parameters<typeof migrate>[3] = {}) =>
      migrate(older, t0, ahead, { version: '0.2.0', ...options })
    const isMigrated = async () => (await older.query("SELECT to_regclass('later') AS table"))[0]
    const register = (name: string, expiresIn: number) =>
      older.query(
        `INSERT INTO instances (name, started_at, heard_since, expires_at)
         VALUES ($1, ${t0}, 0, extract(epoch FROM clock_timestamp()) * 1000 + $2::bigint)`,
        [name, expiresIn],
      )
    beforeEach(async () => {
      url = await server.createDatabase()
      older = openPool(url)
      await migrate(older, t0, MIGRATIONS, { version: '0.1.0' })
    })
    afterEach(() => older.close())

    test('that lives, it is refused and names it, and nothing is changed', async () => {
      await register('host-a:12', leaseMs)
      await expect(upgrade()).rejects.toThrow(
        /gateways of version 0\.1\.0 run on it: host-a:12 \(since 2026-01-01 00:00:00 UTC\)\. Nothing was changed\. Stop them first.*waypost database migrate --force/,
      )
      expect(await isMigrated()).toEqual({ table: null })
    })

    test('that lives, it is done all the same when that is asked for', async () => {
      await register('host-a:12', leaseMs)
      await upgrade({ besideInstances: true })
      expect(await isMigrated()).toEqual({ table: 'later' })
    })

    test('that was killed, it is done', async () => {
      await register('host-a:12', -1)
      await upgrade()
      expect(await isMigrated()).toEqual({ table: 'later' })
    })

    test('a start that has nothing to migrate is not refused', async () => {
      await register('host-a:12', leaseMs)
      await migrate(older, t0, MIGRATIONS, { version: '0.1.1' })
      await upgrade({ besideInstances: true })
      // The next one says from which version it comes.
      const news: MigrationNews[] = []
      const further = [...ahead, { name: '9999_m', sql: 'CREATE TABLE further (a text)' }]
      await migrate(older, t0, further, { version: '0.3.0', besideInstances: true, tell: told => news.push(told) })
      expect(news).toEqual([
        {
          kind: 'begins',
          upgrade: { from: '0.2.0', to: '0.3.0', migrations: ['9999_m'], bytes: expect.any(Number), copy: null },
        },
        { kind: 'step', step: '9999_m (1 of 1)' },
        { kind: 'ended' },
      ])
      const [{ value = '' } = {}] = await older.query<{ value: string }>(
        "SELECT value FROM properties WHERE name = 'upgrade'",
      )
      expect(JSON.parse(value)).toEqual({ from: '0.2.0', to: '0.3.0', at: t0, copy: null })
    })

    test('others see that it is migrated, and nothing once it is rolled back', async () => {
      const other = openPool(url)
      const blocked = [...MIGRATIONS, { name: '9999_blocked', sql: 'SELECT pg_advisory_xact_lock(42)' }]
      let ended = Promise.resolve()
      await other.client.begin(async holder => {
        await holder.unsafe('SELECT pg_advisory_xact_lock(42)')
        ended = migrate(older, t0, blocked, { version: '0.2.0' })
        ended.catch(() => {})
        const { migration } = await eventually(async () => {
          const found = await inspectServer(url)
          if (found.migration === null) throw new Error('nothing is migrated')
          return found
        })
        expect(migration).toEqual({ since: expect.any(Number), from: '0.1.0', to: '0.2.0' })
        await holder.unsafe(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'waypost migrates %'",
        )
      })
      await expect(ended).rejects.toThrow()
      expect((await inspectServer(url)).migration).toBeNull()
      await other.close()
    })
  })
})
