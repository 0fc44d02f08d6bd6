import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accepted, draft, inbound, openDatabase, outcome, seed, type TestDatabase, t0, webhook } from '../fixtures.ts'
import { queryPlan } from './queryPlan.ts'

/** What grows with sends and callbacks. All else is settings of a workspace, or some thirty rows a day. */
const longTables = [
  ...['messages', 'message_contents', 'message_events', 'idempotency_keys', 'flow_sessions', 'contacts'],
  ...['inbound_messages', 'inbound_files', 'events', 'webhook_deliveries', 'media_uploads', 'parked_reports'],
  'api_requests',
]
const scan = new RegExp(`SCAN (${longTables.join('|')})\\b`)

let db: TestDatabase
let statements: readonly string[]
beforeAll(async () => {
  db = openDatabase()
  await seed(db)
  statements = await statementsOf(eraseAll)
})
afterAll(() => db.close())

/** @returns what is run meanwhile, but for the writing of what is erased */
async function statementsOf(act: (note: (isNoted: boolean) => void) => Promise<void>): Promise<readonly string[]> {
  const { client } = db.writer
  const ran = new Set<string>()
  let isNoted = false
  const noting = <Prepare extends typeof client.prepare | typeof client.query>(prepare: Prepare): Prepare =>
    ((sql: string, ...rest: []) => {
      if (isNoted) ran.add(sql)
      return prepare.call(client, sql, ...rest)
    }) as Prepare
  client.prepare = noting(client.prepare)
  client.query = noting(client.query)
  await act(noted => {
    isNoted = noted
  })
  return [...ran]
}

/** A contact is erased, then its workspace. Each has something of everything. */
async function eraseAll(note: (isNoted: boolean) => void): Promise<void> {
  await db.write('addWebhook', webhook())
  const file = { id: 'media_1', upstreamId: '7', sha256: null, mimeType: null, fileName: null }
  await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound({ file })], recordedAt: t0 })
  const from = { ...inbound().from, name: 'Grace' }
  const renamed = inbound({ channelMessageId: 'wamid.in2', from, at: t0 + 1 })
  await db.write('recordInbound', { channelId: 'chan_1', messages: [renamed], recordedAt: t0 + 1 })
  const fill = async (id: string) => {
    const opensFlow = { contactId: 'contact_1', flowToken: 'tok' }
    await db.write('acceptMessage', draft({ id, contactId: 'contact_1', opensFlow }))
    await db.write('recordEvent', accepted(id))
  }
  await fill('msg_1')
  const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
  const outcomes = events.map(({ seq, messageSeq }) => outcome(seq, { messageSeq }))
  await db.write('recordAttempts', { endpointId: 'hook_1', position: 9, outcomes })
  note(true)
  await db.write('forgetContact', { contactId: 'contact_1', at: t0 })
  while ((await db.write('eraseContact', { contactId: 'contact_1', limit: 10, at: t0 }))?.state === 'underWay');
  note(false)
  await fill('msg_2')
  note(true)
  await db.write('closeWorkspace', { workspaceId: 'ws_1', at: t0 })
  while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 10, at: t0 })).isDone);
  note(false)
}

/** As if nobody had ever asked for statistics. */
function forgetStatistics(): void {
  const { client } = db.writer
  client.run('ANALYZE')
  client.run('DELETE FROM sqlite_stat1')
}

/** The statistics of a day on which everything had a few rows, all alike. */
function rememberFewRows(): void {
  const { client } = db.writer
  forgetStatistics()
  const indexes = client.query<{ tbl: string; name: string; columns: number }, []>(
    `SELECT tbl_name AS tbl, name, (SELECT count(*) FROM pragma_index_info(name)) AS columns
     FROM sqlite_master WHERE type = 'index'`,
  )
  for (const { tbl, name, columns } of indexes.all())
    client.run('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)', [
      tbl,
      name,
      Array(columns + 1)
        .fill(3)
        .join(' '),
    ])
  for (const tbl of ['message_contents', 'idempotency_keys'])
    client.run('INSERT INTO sqlite_stat1 VALUES (?, NULL, 3)', [tbl])
}

/** The statistics of a workspace with a history: every index finds few of many rows. */
function rememberManyRows(): void {
  rememberFewRows()
  db.writer.client.run(`UPDATE sqlite_stat1 SET stat = CASE WHEN idx IS NULL THEN '1000000'
    ELSE '1000000' || replace(substr(stat, 2), '3', '40') END`)
}

test('the steps of both erasures are looked at', () => {
  for (const part of ['messages_recipient', 'messages_workspace', 'inbound_messages_contact_seq', 'events_subject'])
    expect(statements.filter(sql => sql.includes(part))).not.toEqual([])
  expect(statements.length).toBeGreaterThan(40)
})

describe.each([
  ['without statistics', forgetStatistics],
  ['with those of a small database', rememberFewRows],
  ['with those of a large one', rememberManyRows],
] as const)('an erasure reads no table to its end, %s', (_, prepare) => {
  beforeAll(() => prepare())

  test('to find what it changes', () => {
    // Whose message is the newest of all, is looked for without an index, and seldom erased (rules/messageDeletion.ts).
    const steps = statements.filter(sql => !sql.includes('"events"."message_seq" >'))
    const plans = steps.map(sql => [sql, queryPlan(db, sql)] as const)
    expect(plans.filter(([, plan]) => scan.test(plan))).toEqual([])
  })

  test('and to find messages by their recipient, it reads those of the recipient alone', () => {
    const ofRecipient = statements.find(sql => sql.includes('messages_recipient')) ?? ''
    expect(queryPlan(db, ofRecipient)).toBe('SEARCH messages USING INDEX messages_recipient (<expr>=? AND recipient=?)')
  })

  test('and to walk through a workspace, it goes along an index from where it was, and sorts nothing', () => {
    const walk = statements.filter(sql => sql.includes('messages_workspace') && sql.includes('order by'))
    expect(walk.map(sql => queryPlan(db, sql))).toEqual([
      expect.stringMatching(/^SEARCH messages USING INDEX messages_workspace \(workspace_id=\? AND \(?created_at/),
    ])
  })
})
