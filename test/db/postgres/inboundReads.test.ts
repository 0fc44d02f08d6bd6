import { beforeEach, describe, expect, test } from 'bun:test'
import type { SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import type { ConversationReads } from '../../../db/contract/conversations.ts'
import type { InboundQuery, InboundReads } from '../../../db/contract/inbound.ts'
import { engineOf } from '../../../db/postgres/engine.ts'
import { conversationReads } from '../../../db/rules/conversations.ts'
import { inboundReads } from '../../../db/rules/inboundReads.ts'
import { hasPostgres } from '../../postgres.ts'
import { t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'

/** A workspace beside a large neighbour; a contact and a line each have a part of its messages. */
const fill = `INSERT INTO inbound_messages
    (channel_id, workspace_id, seq, channel_message_id, contact_id, line_id, kind, at, recorded_at, content)
  SELECT 'chan_1', CASE WHEN n % 50 = 0 THEN 'ws_1' ELSE 'ws_2' END, n, 'wamid.' || n, 'contact_' || (n % 3000),
    'line_' || (n % 30), 'text', ${t0} + n, ${t0} + n, '{}'
  FROM generate_series(1, 30000) AS n`

/** Two thirds of all who wrote are read. */
const fillContacts = `INSERT INTO contacts (id, workspace_id, phone, created_at, updated_at, heard_seq, read_seq)
  SELECT 'contact_' || n, CASE WHEN n % 50 = 0 THEN 'ws_1' ELSE 'ws_2' END, '+49' || n, 1, 1, 27000 + n,
    CASE WHEN n % 3 = 0 THEN 0 ELSE 27000 + n END
  FROM generate_series(0, 2999) AS n`

describe.skipIf(!hasPostgres)('reading what users sent on PostgreSQL', () => {
  const database = postgresDatabase('new')
  beforeEach(async () => {
    await database().pool.query(fill)
    await database().pool.query(
      "INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'One', 1), ('ws_2', 'Two', 1)",
    )
    await database().pool.query(fillContacts)
    await database().pool.query('ANALYZE inbound_messages, contacts')
  })

  /** @returns how the server runs each statement of a read */
  async function plansOf(read: (reads: InboundReads & ConversationReads) => Promise<unknown>): Promise<string[]> {
    const { pool } = database()
    const asked: (readonly [text: string, values: unknown[]])[] = []
    const unsafe = (text: string, values: unknown[] = []) => {
      asked.push([text, values])
      return pool.client.unsafe(text, values)
    }
    const db = drizzle({ unsafe, options: pool.client.options } as SQL)
    const engine = engineOf({ ...pool, db })
    await read({ ...inboundReads(engine), ...conversationReads(engine) })
    const plans: string[] = []
    for (const [text, values] of asked) {
      const rows = (await pool.client.unsafe(`EXPLAIN ${text}`, values)) as Record<string, string>[]
      plans.push(rows.flatMap(Object.values).join('\n'))
    }
    return plans
  }

  const page = { workspaceId: 'ws_1', after: 20_000, limit: 10, scan: 100 }
  test.each<[by: string, query: InboundQuery, index: string]>([
    ['all of a workspace', page, 'inbound_messages_seq'],
    ['those of a contact', { ...page, contactId: 'contact_50' }, 'inbound_messages_contact_seq'],
    ['those of a line', { ...page, lineId: 'line_20' }, 'inbound_messages_line_seq'],
    [
      'those of a contact on a line',
      { ...page, contactId: 'contact_50', lineId: 'line_20' },
      'inbound_messages_contact_seq',
    ],
  ])('%s are read along their index, from the number on', async (_, query, index) => {
    const plans = await plansOf(reads => reads.inboundMessages(query))
    // The third finds what users have changed or deleted of what was found: none here.
    expect(plans).toHaveLength(3)
    for (const plan of plans.slice(0, 2)) {
      expect(plan).toMatch(new RegExp(`Scan (using|on) ${index}`))
      expect(plan).toMatch(/Index Cond: \(\(?\w+ = .* AND \(seq > /)
      expect(plan).not.toContain('Seq Scan on inbound_messages')
    }
  })

  test.each<[what: string, read: (reads: ConversationReads) => Promise<unknown>, index: string]>([
    ['all', reads => reads.conversations({ workspaceId: 'ws_1', limit: 5, scan: 50 }), 'contacts_spoken'],
    [
      'those with something unread',
      reads => reads.conversations({ workspaceId: 'ws_1', isUnread: true, limit: 5, scan: 50 }),
      'contacts_unread',
    ],
    [
      'their number',
      reads => reads.conversationCounts({ workspaceId: 'ws_1', userId: 'user_1', max: 9, scan: 9 }),
      'contacts_unread',
    ],
  ])('conversations are read along their index: %s', async (_, read, index) => {
    const plans = await plansOf(read)
    expect(plans[0]).toMatch(new RegExp(`Scan (Backward )?(using|on) ${index}`))
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (contacts|inbound_messages)/)
  })

  test('when a contact wrote lately is read along its index', async () => {
    const [plan] = await plansOf(reads =>
      reads.inboundTimes({ contactId: 'contact_50', since: t0 + 29_000, limit: 10 }),
    )
    expect(plan).toContain('inbound_messages_contact')
    expect(plan).not.toContain('Seq Scan')
  })
})
