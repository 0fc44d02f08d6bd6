import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import type { MessageQuery } from '../../../db/contract/records.ts'
import { openDatabase, type TestDatabase } from '../fixtures.ts'
import { queryPlan } from './queryPlan.ts'

let db: TestDatabase
beforeAll(() => {
  db = openDatabase()
})
afterAll(() => db.close())

/** @returns how SQLite would run each statement that the read runs */
async function plansOf(read: () => Promise<unknown>, by: 'prepare' | 'query' = 'prepare'): Promise<string[]> {
  const prepare = spyOn(db.reader.client, by)
  await read()
  const statements = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  expect(statements.length).toBeGreaterThan(0)
  return statements.map(sql => queryPlan(db, sql))
}

const workspace = { workspaceId: 'ws_1', limit: 10 }

test.each<[by: string, query: MessageQuery, index: string]>([
  ['all', workspace, 'messages_workspace'],
  ['by date', { ...workspace, since: 1, until: 9 }, 'messages_workspace'],
  ['by line', { ...workspace, line: 'line_1' }, 'messages_workspace'],
  ['by recipient', { ...workspace, recipient: '+1' }, 'messages_recipient'],
  ['the failed', { ...workspace, status: ['FAILED'] }, 'messages_failed'],
  ['the unknown', { ...workspace, status: ['UNKNOWN'] }, 'messages_unsettled'],
  ['the queued', { ...workspace, status: ['QUEUED'] }, 'messages_unsettled'],
])('a list goes along an index, and never through every message: %s', async (_, query, index) => {
  const plans = await plansOf(() => db.read.messages(query), 'query')
  // The third finds what is under way and not in the index.
  for (const [at, plan] of plans.entries()) {
    expect(plan).toStartWith('SEARCH messages USING')
    expect(plan).toContain(at === 2 ? ' INTEGER PRIMARY KEY (rowid>?); ' : ` ${index} `)
    expect(plan).not.toContain('TEMP B-TREE')
  }
})

test.each([{}, { workspaceId: 'ws_1' }])('a reference is looked up by three indexes: %o', async workspaceOnly => {
  const plans = await plansOf(() => db.read.messagesReferred({ reference: 'wamid.none', ...workspaceOnly }))
  expect(plans).toHaveLength(3)
  for (const plan of plans) {
    expect(plan).toStartWith('SEARCH messages USING')
    expect(plan).not.toContain('messages_workspace')
  }
})

test('what is open is counted along its index', async () => {
  const plans = await plansOf(() => db.read.openMessages({ workspaceId: 'ws_1', max: 5 }))
  for (const plan of plans) expect(plan).toBe('SEARCH messages USING INDEX messages_unsettled (status=? AND <expr>=?)')
})

test('whether anything was delivered is told by the numbers of days, without reading messages', async () => {
  const [plan, ...others] = await plansOf(() => db.read.hasDelivered('ws_1'))
  expect(plan).toMatch(/^SEARCH daily_counts USING (COVERING )?INDEX \S+ \(workspace_id=\?\)/)
  expect(others).toEqual([])
})
