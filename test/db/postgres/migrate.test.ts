import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { MIGRATIONS, migrate } from '../../../db/postgres/migrate.ts'
import { openPool, type Pool } from '../../../db/postgres/open.ts'
import { hasPostgres, type PostgresServer, startPostgres, unsynced } from '../../postgres.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { t0 } from '../fixtures.ts'
import { countedInbound, heardInbound, numberedInbound, olderInbound } from '../olderInbound.ts'

setDefaultTimeout(hungAfterMs)

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
})
