import { beforeEach, describe, expect, test } from 'bun:test'
import type { Connection } from '../../../db/postgres/open.ts'
import { inTransaction } from '../../../db/postgres/transaction.ts'
import { lockingVerbs } from '../../../db/postgres/writes.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { seedLine } from './storedMessages.ts'

/** Enough that reading a table to its end is not the cheapest way to some of its rows. */
const rows = 20_000

describe.skipIf(!hasPostgres)('a step of an erasure on PostgreSQL', () => {
  const database = postgresDatabase()

  beforeEach(async () => {
    await seedLine(database())
    const { query } = database().pool
    const each = `FROM generate_series(1, ${rows}) AS n`
    // Every hundredth is of the contact.
    const who = "CASE WHEN n % 100 = 0 THEN '+491' ELSE '+499' || n END"
    await query(
      `INSERT INTO contacts (id, workspace_id, phone, created_at, updated_at, heard_seq)
       SELECT 'contact_' || n, 'ws_1', '+49' || n, 0, 0, n ${each}`,
    )
    await query(
      `INSERT INTO messages (id, workspace_id, line_seq, contact_id, recipient, type, status, created_at)
       SELECT 'msg_' || n, 'ws_1', 1, 'contact_' || (n % 100), ${who}, 'text', 'READ', n ${each}`,
    )
    await query(`INSERT INTO message_contents (message_seq, payload) SELECT seq, '{}' FROM messages`)
    await query(`INSERT INTO message_events SELECT seq, 'sent', 0, '', 0 FROM messages`)
    await query(
      `INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, subject)
       SELECT 'ws_1', n, 'message.sent', 0, 0, n, CASE WHEN n % 100 = 0 THEN 'contact_1' END ${each}`,
    )
    await query(
      `INSERT INTO webhook_endpoints (id, workspace_id, url, position, created_at) VALUES ('hook_1', 'ws_1', '', 0, 0)`,
    )
    await query(
      `INSERT INTO webhook_deliveries (endpoint_id, seq, type, message_seq, state, attempt_count, attempts, step)
       SELECT 'hook_1', n, 'message.sent', n, 'delivered', 1, '[]', 1 ${each}`,
    )
    await query(
      `INSERT INTO inbound_messages
         (channel_id, workspace_id, seq, channel_message_id, contact_id, line_id, kind, at, recorded_at, content)
       SELECT 'chan_1', 'ws_1', n, 'wamid.' || n, 'contact_' || (n % 100), 'line_1', 'text', n, n, '{"a":1}' ${each}`,
    )
  })

  /**
   * How often what grows with sends and callbacks was read from its first row. The server adds up what its connection
   * did within the last second, not only in this transaction.
   */
  const wholeReads = `SELECT relname::text, seq_scan::int AS reads FROM pg_stat_xact_user_tables WHERE relname IN
    ('messages', 'message_contents', 'message_events', 'contacts', 'events', 'webhook_deliveries', 'inbound_messages',
     'flow_sessions', 'idempotency_keys')`

  /** Each call is a transaction. @returns the tables that it has read to the end */
  const scanned = (work: (verbs: ReturnType<typeof lockingVerbs>) => Promise<unknown>): Promise<string[]> =>
    inTransaction(database().pool, 'read committed', async (connection: Connection) => {
      const count = async () => {
        const rows = await connection.query<{ relname: string; reads: number }>(wholeReads)
        return new Map(rows.map(({ relname, reads }) => [relname, reads]))
      }
      const before = await count()
      await work(lockingVerbs(connection))
      return [...(await count())].flatMap(([table, reads]) => (reads > (before.get(table) ?? 0) ? [table] : []))
    })

  const statistics = [
    ['without statistics', 'SELECT 1'],
    ['with fresh ones', 'ANALYZE'],
  ] as const

  // One after the other: filling the tables takes longer than both.
  test.each(statistics)('finds the rows of a contact, and then of a workspace, by indexes, %s', async (_, prepare) => {
    await database().pool.query(prepare)
    expect(await scanned(verbs => verbs.forgetContact({ contactId: 'contact_1', at: t0 }))).toEqual([])
    for (let isDone = false; !isDone; ) {
      const tables = await scanned(async verbs => {
        const step = await verbs.eraseContact({ contactId: 'contact_1', limit: 100, at: t0 })
        isDone = step?.state !== 'underWay'
      })
      expect(tables).toEqual([])
    }
    const left = await database().pool.query(
      "SELECT FROM messages WHERE recipient = '+491' OR contact_id = 'contact_1'",
    )
    expect(left).toHaveLength(rows / 100)

    await database().pool.query("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_2', 'Other', 0)")
    await database().pool.query("UPDATE messages SET workspace_id = 'ws_2' WHERE seq > 150")
    expect(await scanned(verbs => verbs.closeWorkspace({ workspaceId: 'ws_1', at: t0 }))).toEqual([])
    for (let step = 0; step < 4; step += 1) {
      const erase = { workspaceId: 'ws_1', limit: 100, at: t0 }
      expect(await scanned(verbs => verbs.eraseWorkspace(erase))).toEqual([])
    }
  })
})
