import { beforeEach, describe, expect, test } from 'bun:test'
import type { MessageSearch } from '../../../db/contract/queries.ts'
import type { Connection, Parameter } from '../../../db/postgres/open.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { hasPostgres } from '../../postgres.ts'
import { apiKey, t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { seedLine } from './storedMessages.ts'

type Filter = Omit<MessageSearch, 'workspaceId' | 'direction' | 'cursor' | 'limit' | 'scan'>

const ofMost = 'a recipient of most messages'

/** With the index that finds it. */
const filters: [by: string, filter: Filter, index: string][] = [
  ['nothing', {}, 'messages_workspace'],
  ['recipient', { recipient: '+49303' }, 'messages_recipient'],
  [ofMost, { recipient: '+49300' }, 'messages_recipient'],
  ['a recipient that nobody wrote to', { recipient: '+1' }, 'messages_recipient'],
  ['line', { line: 'line_2' }, 'messages_workspace'],
  ['a line that is not there', { line: 'line_none' }, 'messages_workspace'],
  ['key', { key: 'pk_seed' }, 'messages_workspace'],
  ['type', { type: 'interactive' }, 'messages_workspace'],
  ['template', { template: 'rare' }, 'messages_workspace'],
  ['a template that nobody sent', { template: 'none' }, 'messages_workspace'],
  ['SENT', { status: ['SENT'] }, 'messages_workspace'],
  ['READ', { status: ['READ'] }, 'messages_workspace'],
  ['DELIVERED or READ', { status: ['DELIVERED', 'READ'] }, 'messages_workspace'],
  ['FAILED', { status: ['FAILED'] }, 'messages_failed'],
  ['FAILED and template', { status: ['FAILED'], template: 'rare' }, 'messages_failed'],
  ['SCHEDULED', { status: ['SCHEDULED'] }, 'messages_unsettled'],
  ['QUEUED', { status: ['QUEUED'] }, 'messages_unsettled'],
  ['UNKNOWN', { status: ['UNKNOWN'] }, 'messages_unsettled'],
  ['UNKNOWN of some days', { status: ['UNKNOWN'], since: t0 + 500_000, until: t0 + 900_000 }, 'messages_unsettled'],
  ['dates', { since: t0 + 500_000, until: t0 + 600_000 }, 'messages_workspace'],
  ['dates and template', { since: t0 + 500_000, until: t0 + 900_000, template: 'rare' }, 'messages_workspace'],
  ['recipient, status and key', { recipient: '+49301', status: ['QUEUED'], key: 'pk_seed' }, 'messages_recipient'],
]

const word = { words: 'hamburg', digits: '0472', recipients: new Set(['+1']), templates: new Map([['order', null]]) }
const meant = [word, { ...word, words: 'rome' }]
/** What needs more columns than the indexes have. */
const roughFilters: typeof filters = [
  ['cause', { cause: '131026' }, 'messages_failed'],
  ['text', { meant }, 'messages_workspace'],
  ['text of what failed', { meant, status: ['FAILED'] }, 'messages_failed'],
]

const isOfRare = (index: string) => index === 'messages_failed' || index === 'messages_unsettled'

const messagesMade = 4_000

/** Of two workspaces, three of each moment. */
const fill = `INSERT INTO messages (id, workspace_id, line_seq, recipient, type, template_name, status, api_key_seq, created_at,
    idempotency_key, channel_message_id)
  SELECT 'msg_' || lpad(n::text, 6, '0'), CASE WHEN n % 5 = 0 THEN 'ws_2' ELSE 'ws_1' END,
    CASE WHEN n % 700 = 1 THEN 2 ELSE 1 END, '+4930' || CASE WHEN n % 2 = 0 THEN 0 ELSE n % 70 END,
    CASE WHEN n % 900 = 2 THEN 'interactive' WHEN n % 3 = 0 THEN 'text' ELSE 'template' END,
    CASE WHEN n % 3 = 0 THEN NULL WHEN n % 300 = 7 THEN 'rare' ELSE 'order' END,
    CASE WHEN n % 400 = 9 THEN 'UNKNOWN' WHEN n > 3900 THEN 'QUEUED' WHEN n % 100 = 7 THEN 'FAILED'
      WHEN n % 8 = 1 THEN 'SENT' WHEN n % 2 = 0 THEN 'DELIVERED' ELSE 'READ' END,
    CASE WHEN n % 600 = 3 THEN 1 END, ${t0} + (n / 3) * 1000, 'order-' || n, 'wamid.' || n
  FROM generate_series(1, ${messagesMade}) AS n`

const search = { workspaceId: 'ws_1', direction: 'older', limit: 10, scan: 90 } as const

describe.skipIf(!hasPostgres)('messages on PostgreSQL', () => {
  const database = postgresDatabase('new')

  beforeEach(async () => {
    await seedLine(database())
    const { pool, verbs } = database()
    await verbs.createKey(apiKey())
    await pool.query(
      `INSERT INTO lines (id, workspace_id, channel_id, upstream_phone_id, number, active, per_second, pair_seconds, created_at)
       SELECT 'line_2', workspace_id, channel_id, '2', '+2', true, 80, 6, 1 FROM lines`,
    )
    await pool.query(fill)
    await pool.query('VACUUM ANALYZE')
  })

  /** How the server runs the statements of a read, also after it has stopped to plan for each value. */
  async function plansOf(read: (connection: Connection) => Promise<unknown>): Promise<string[]> {
    const { pool } = database()
    const plans: string[] = []
    const explained = async (text: string, parameters: readonly Parameter[]) => {
      await pool.client.begin(async transaction => {
        const literals = parameters.map(value => (typeof value === 'string' ? `'${value}'` : value)).join(', ')
        await transaction.unsafe(`PREPARE statement AS ${text}`)
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await transaction.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
          const execute = literals === '' ? 'statement' : `statement(${literals})`
          const lines = await transaction.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN EXECUTE ${execute}`)
          plans.push(lines.map(line => line['QUERY PLAN']).join('\n'))
        }
        await transaction.unsafe('DEALLOCATE statement')
      })
    }
    const query: Connection['query'] = async (text, parameters = []) => {
      await explained(text, parameters)
      return []
    }
    await read({ ...pool, query })
    expect(plans.length).toBeGreaterThan(0)
    return plans
  }

  test('each step, and each list, walks along one index, whatever is known about its values', async () => {
    for (const [by, filter, index] of [...filters, ...roughFilters]) {
      const cursor = index === 'messages_unsettled' ? 'msg_002000' : `${t0 + 700_000}.2000`
      const step = { ...search, ...filter, scan: 20 }
      const plans = [
        ...(await plansOf(connection => storeReads(connection).searchMessages(step))),
        ...(await plansOf(connection => storeReads(connection).searchMessages({ ...step, cursor }))),
      ]
      const list = { workspaceId: 'ws_1', ...filter, limit: 20 }
      const isListed = filter.meant === undefined
      const listPlans = isListed ? await plansOf(connection => storeReads(connection).messages(list)) : []
      for (const plan of [...plans, ...listPlans]) {
        // The second mention of the table is what is looked at: the first reads the rows that were found.
        expect([by, plan]).toEqual([by, expect.not.stringContaining('Seq Scan on messages messages_1')])
        const isOrdered = plan.includes(`using ${index} on messages messages_1`)
        // Of what is rare, a few may be read as a whole and sorted; so may the messages to one recipient, but not where
        // these are most. Of a table as small as this, a list looks at all of them.
        const isOfFew = index === 'messages_recipient' && (by !== ofMost || listPlans.includes(plan))
        const isFew = isOfRare(index) || isOfFew
        const isSorted = isFew && plan.includes(`Bitmap Index Scan on ${index}`)
        expect([by, isOrdered || isSorted || plan]).toEqual([by, true])
        // What others have is not looked at.
        const isLed = /Index Cond: .*(\(workspace_id = |"right"\(workspace_id, 6\))/.test(plan)
        expect([by, isLed || plan]).toEqual([by, true])
        // The server ends a walk by the first column of a row alone: it would read what others got as well.
        expect([by, plan]).toEqual([by, expect.not.stringMatching(/ROW\("right"\(workspace_id, 6\), recipient/)])
      }
    }
  })
})
