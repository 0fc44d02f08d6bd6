import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Parameter } from '../../../db/postgres/open.ts'
import { pruneVerbs } from '../../../db/postgres/prune.ts'
import { inTransaction } from '../../../db/postgres/transaction.ts'
import { hasPostgres } from '../../postgres.ts'
import { draft, t0, withKey } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'
import { overlapping } from './overlap.ts'

type Verbs = ReturnType<typeof pruneVerbs>

interface Prune {
  readonly verb: keyof Verbs
  readonly table: string
  /** What orders the rows by age. */
  readonly age: string
  /** By which it finds them. */
  readonly index: string
  readonly run: (verbs: Verbs, limit: number) => Promise<number>
}

/** After all rows of these tests. */
const later = t0 + 1_000_000

const prunes: readonly Prune[] = [
  {
    ...{ verb: 'pruneIdempotencyKeys', table: 'idempotency_keys', age: 'message_seq', index: 'idempotency_keys_pkey' },
    run: (verbs, limit) =>
      verbs.pruneIdempotencyKeys({ expiredBefore: later, usualUntil: Number.MAX_SAFE_INTEGER, limit }),
  },
  {
    ...{ verb: 'pruneRateWindows', table: 'rate_windows', age: 'starts_at', index: 'rate_windows_age' },
    run: (verbs, limit) => verbs.pruneRateWindows({ startedBefore: later, limit }),
  },
  {
    ...{ verb: 'pruneParkedReports', table: 'parked_reports', age: 'recorded_at', index: 'parked_reports_age' },
    run: (verbs, limit) => verbs.pruneParkedReports({ recordedBefore: later, keep: 100, limit }),
  },
  {
    ...{ verb: 'pruneDailyCounts', table: 'daily_counts', age: 'day', index: 'daily_counts_workspace_id_day_kind_pk' },
    run: (verbs, limit) => verbs.pruneDailyCounts({ before: '2027-01-01', limit }),
  },
  {
    ...{ verb: 'pruneMedia', table: 'media_uploads', age: 'expires_at', index: 'media_uploads_expiry' },
    run: (verbs, limit) => verbs.pruneMedia({ expiredBefore: later, limit }),
  },
  {
    ...{ verb: 'pruneSessions', table: 'sessions', age: 'expires_at', index: 'sessions_expiry' },
    run: (verbs, limit) => verbs.pruneSessions({ expiredBefore: later, limit }),
  },
  {
    ...{ verb: 'pruneContents', table: 'message_contents', age: 'message_seq', index: 'message_contents_pkey' },
    run: (verbs, limit) => verbs.pruneContents({ createdBefore: later, limit }),
  },
  {
    ...{ verb: 'pruneInbound', table: 'inbound_messages', age: 'recorded_at', index: 'inbound_messages_age' },
    run: (verbs, limit) => verbs.pruneInbound({ recordedBefore: later, limit }),
  },
  {
    ...{ verb: 'pruneMessages', table: 'messages', age: 'seq', index: 'messages_pkey' },
    run: (verbs, limit) => verbs.pruneMessages({ createdBefore: later, limit }),
  },
]

describe.skipIf(!hasPostgres)('pruning on PostgreSQL', () => {
  const current = postgresDatabase()
  let sender: TestInstance
  beforeEach(async () => {
    await seedSending(current())
    await current().verbs.createUser({
      ...{ id: 'user_1', email: 'ada@example.com', name: null, createdAt: t0, passwordHash: '' },
      ...{ workspaceId: 'ws_1', role: null },
    })
    const fives = [
      `idempotency_keys SELECT 1000 + n, 'pk_1', 'key ' || n, '', ${t0} + n`,
      `rate_windows SELECT 'ip:' || n, ${t0} + n, 1`,
      `parked_reports SELECT 'chan_1', 'wamid.' || n, 'sent', 0, '', ${t0} + n`,
      `daily_counts SELECT 'ws_1', '2026-01-0' || n, 'sent', 1`,
      `media_uploads SELECT 'line_1', 'l' || n, 'image', '1', ${t0} + n`,
      `sessions SELECT 'ses_' || n, 'user_1', 'f' || n, 't', NULL, 0, 0, ${t0} + n`,
      `inbound_messages SELECT 'chan_1', 'wamid.' || n, NULL, NULL, 'text', 0, ${t0} + n, NULL, NULL, 'x'`,
      `messages (seq, id, workspace_id, line_seq, recipient, type, status, created_at)
         SELECT n, 'msg_' || n, 'ws_1', 1, '+4930123456', 'text', 'READ', ${t0} + n`,
      `message_contents SELECT n, 'x'`,
      `message_events SELECT n, 'sent', 0, '', 0`,
    ]
    const { query } = current().pool
    for (const rows of fives) await query(`INSERT INTO ${rows} FROM generate_series(1, 5) AS n`)
    await query("SELECT setval(pg_get_serial_sequence('messages', 'seq'), 100)")
    sender = await openInstance(current().url)
  })
  afterEach(() => sender.close())

  const agesOf = async ({ table, age }: Prune) =>
    (await current().pool.query<{ n: string }>(`SELECT right(${age}::text, 1) AS n FROM ${table} ORDER BY ${age}`)).map(
      ({ n }) => Number(n),
    )

  describe.each(prunes.map(prune => [prune.verb, prune] as const))('%s', (_, prune) => {
    const { table, age, run } = prune

    test('takes the oldest first, and at most as many as it may', async () => {
      expect(await run(current().verbs, 2)).toBe(2)
      expect(await agesOf(prune)).toEqual([3, 4, 5])
      expect([await run(current().verbs, 2), await run(current().verbs, 2)]).toEqual([2, 1])
      expect(await run(current().verbs, 2)).toBe(0)
    })

    test('leaves what another transaction has locked until the next time, and does not wait for it', async () => {
      const [, pruned] = await overlapping(
        current(),
        'read committed',
        ({ query }) =>
          query(`SELECT FROM ${table} WHERE ${age} IN (SELECT ${age} FROM ${table} ORDER BY 1 LIMIT 1) FOR UPDATE`),
        verbs => run(verbs, 10),
      )
      expect(pruned).toBe(4)
      expect(await agesOf(prune)).toEqual([1])
      expect(await run(current().verbs, 10)).toBe(1)
    })
  })

  test('each finds its rows by an index, in the order of their age', async () => {
    const { pool } = current()
    for (const { table, index, run } of prunes) {
      const statements: [text: string, parameters: readonly Parameter[]][] = []
      const noting = async <Row>(text: string, parameters: readonly Parameter[] = []): Promise<Row[]> => {
        statements.push([text, parameters])
        return []
      }
      await run(pruneVerbs({ ...pool, query: noting }), 2)
      const [[text, parameters] = ['', []]] = statements
      const plan = await inTransaction(pool, 'read committed', async ({ query }) => {
        // So few rows are sooner read all.
        await query('SET LOCAL enable_seqscan = off')
        await query('SET LOCAL enable_bitmapscan = off')
        return await query<Record<string, string>>(`EXPLAIN ${text}`, parameters)
      })
      const steps = plan.flatMap(Object.values).join('\n')
      expect(steps).not.toContain(`Seq Scan on ${table}`)
      // The few rows that were found may be sorted: messages are, to be locked in the order of all verbs.
      const search = steps.slice(steps.indexOf('Limit ')).replace('Sort Key: messages.id', '')
      expect(search).toMatch(new RegExp(`Index (Only )?Scan using ${index} `))
      expect(search).not.toContain('Sort Key')
    }
  })

  test('messages go with what belongs to them, and a key keeps its message', async () => {
    await current().pool.query("INSERT INTO idempotency_keys VALUES (1, 'pk_1', 'k', '', 0)")
    expect(await current().verbs.pruneMessages({ createdBefore: later, limit: 10 })).toBe(4)
    for (const table of ['messages', 'message_contents', 'message_events'])
      expect(await current().pool.query(`SELECT count(*)::int AS count FROM ${table}`)).toEqual([{ count: 1 }])
  })

  test('a send waits for no prune, however long one takes', async () => {
    await inTransaction(current().pool, 'read committed', async connection => {
      const verbs = pruneVerbs(connection)
      for (const { run } of prunes) expect(await run(verbs, 3)).toBe(3)
      expect(await sender.acceptMessage(draft({ id: 'msg_9', ...withKey('new') }))).toMatchObject({
        outcome: 'accepted',
      })
    })
  })
})
