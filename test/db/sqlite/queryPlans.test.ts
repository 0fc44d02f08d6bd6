import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { accepted, draft, inbound, openDatabase, seed, type TestDatabase, t0 } from '../fixtures.ts'
import { fillChanges } from '../manyChanges.ts'
import { queryPlan } from './queryPlan.ts'

let db: TestDatabase
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
})
afterEach(() => db.close())

test('a step of a search for contacts goes along those of the workspace, without sorting', async () => {
  const search = () => db.read.searchContacts({ workspaceId: 'ws_1', cursor: 'contact_9', limit: 2, scan: 3 })
  expect(await readPlans(search)).toEqual([
    // Where the step ends; then those that fit.
    'SEARCH contacts USING COVERING INDEX contacts_workspace (workspace_id=? AND id<?)',
    'SEARCH contacts USING INDEX contacts_workspace (workspace_id=? AND id<?)',
  ])
})

test('so does one by their last messages, along those of the workspace who have written', async () => {
  const search = { workspaceId: 'ws_1', isByHeard: true, cursor: '9', limit: 2, scan: 3 }
  expect(await readPlans(() => db.read.searchContacts(search))).toEqual([
    'SEARCH contacts USING COVERING INDEX contacts_heard (workspace_id=? AND heard_seq>? AND heard_seq<?)',
    'SEARCH contacts USING INDEX contacts_heard (workspace_id=? AND heard_seq>? AND heard_seq<?)',
  ])
})

test('what a contact has sent is read along its index, and sorted a moment at a time', async () => {
  expect(await readPlans(() => db.read.inbound({ contactId: 'contact_1', limit: 2 }))).toEqual([
    'SEARCH inbound_messages USING INDEX inbound_messages_contact (contact_id=?); ' +
      'SEARCH inbound_files USING INDEX sqlite_autoindex_inbound_files_1 (id=?) LEFT-JOIN; ' +
      'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
  ])
})

test('conversations are read along their indexes, and the last words of each at the end of others', async () => {
  await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  const search = { workspaceId: 'ws_1', limit: 2, scan: 3 }
  const unread = () => db.read.conversationCounts({ workspaceId: 'ws_1', userId: 'user_1', max: 9, scan: 9 })
  const plans = [
    ...(await readPlans(() => db.read.conversations(search))),
    ...(await readPlans(() => db.read.conversations({ ...search, isUnread: true, cursor: 9 }))),
    ...(await readPlans(unread)),
    ...(await readPlans(() => db.read.heard({ workspaceId: 'ws_1', contactId: 'contact_1' }))),
  ]
  expect(plans).toHaveLength(18)
  const indexes = ['contacts_spoken', 'contacts_unread', 'inbound_messages_contact_seq', 'messages_recipient']
  for (const index of indexes) expect(plans.join()).toContain(index)
  // Few are sorted: what was said in one second, and the newest that were sent to one address.
  const few = /USE TEMP B-TREE FOR LAST TERM OF ORDER BY|SCAN newest; USE TEMP B-TREE FOR ORDER BY/g
  for (const plan of plans) expect(plan.replaceAll(few, '')).not.toMatch(/SCAN (contacts|\w*messages)|TEMP B-TREE/)
})

test('of a person who changed more than is looked through, the newest changes are read along their index', async () => {
  db.writer.client.run(fillChanges)
  const plans = await readPlans(() => db.read.inbound({ contactId: 'contact_1', limit: 1 }))
  const changes = 'SEARCH inbound_messages USING INDEX inbound_messages_changes (contact_id=? AND at>?)'
  const found = plans.filter(plan => plan.includes('inbound_messages_changes'))
  expect(found).toEqual([expect.stringContaining(changes), changes])
  expect(found.join()).not.toContain('TEMP B-TREE')
})

test('when a contact wrote lately is read along its index, however much it wrote before', async () => {
  expect(await readPlans(() => db.read.inboundTimes({ contactId: 'contact_1', since: t0, limit: 2 }))).toEqual([
    'SEARCH inbound_messages USING INDEX inbound_messages_contact (contact_id=? AND at>? AND at<?)',
  ])
})

test('what the list of contacts shows of them is one statement, along indexes', async () => {
  const page = { contactIds: ['contact_1', 'contact_2'], lineIds: ['line_1'], since: t0, scan: 2 }
  const plans = await readPlans(() => db.read.heardOfEach({ workspaceId: 'ws_1', ...page }))
  expect(plans).toHaveLength(1)
  expect(plans.join()).toContain('SEARCH inbound_messages USING INDEX inbound_messages_contact (contact_id=? AND at>?)')
  expect(plans.join()).not.toMatch(/SCAN (contacts|\w*messages)|TEMP B-TREE/)
})

test('the flows of a contact are read along their index, open or not', async () => {
  expect(await readPlans(() => db.read.flowSessions('contact_1'))).toEqual([
    'SEARCH flow_sessions USING INDEX flow_sessions_contact (contact_id=?); USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
  ])
})

test('files that are due are found from workspace to workspace, however many each has', async () => {
  const [plan = ''] = await readPlans(() => db.read.dueFiles({ at: t0, except: ['media_1'], limit: 9 }))
  expect(plan).toContain('SEARCH inbound_files USING COVERING INDEX inbound_files_turns (workspace_id>?)')
  expect(plan).toContain('SEARCH inbound_files USING INDEX inbound_files_turns ((workspace_id,due_at)>(?,?))')
  expect(plan).not.toContain('SCAN inbound_files')
})

/** @returns how SQLite runs each statement that the read prepares */
async function readPlans(read: () => Promise<unknown>): Promise<string[]> {
  const prepare = spyOn(db.reader.client, 'prepare')
  await read()
  const statements = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  return statements.map(sql => queryPlan(db, sql))
}

describe('what is not settled is found without reading what is', () => {
  /** @returns how SQLite runs each statement that the action runs on `messages`. */
  async function plans(connection: TestDatabase['writer'], act: () => Promise<unknown>): Promise<string> {
    const { client } = connection
    const statements: string[] = []
    const prepare = client.prepare
    client.prepare = ((text: string, ...rest: []) => {
      statements.push(text)
      return prepare.call(client, text, ...rest)
    }) as typeof prepare
    await act()
    client.prepare = prepare
    return statements
      .filter(text => text.startsWith('select') && text.includes('from "messages"'))
      .map(text => queryPlan(db, text))
      .join()
  }

  test('by recovery, when it marks what was interrupted', async () => {
    expect(await plans(db.writer, () => db.write('markInterrupted', { at: t0 }))).toContain(
      'USING INDEX messages_unsettled',
    )
  })

  test.each([null, { id: 'msg_1', workspaceId: 'ws_1' }])('by recovery, when it resumes after %j', async after => {
    const plan = await plans(db.writer, () => db.write('claimWaiting', { after, limit: 10 }))
    const ways = after ? ['status=? AND <expr>=? AND id>?', 'status=? AND <expr>>?'] : ['status=?']
    for (const way of ways) expect(plan).toContain(`SEARCH messages USING INDEX messages_unsettled (${way});`)
    expect(plan).not.toContain('TEMP B-TREE')
  })

  test('by the job that gives up', async () => {
    const act = () => db.write('abandonUnknown', { lostBefore: t0, at: t0, reason: '', limit: 1 })
    expect(await plans(db.writer, act)).toContain('USING INDEX messages_unsettled')
  })
})

test('looking for contents reads nothing of the messages that have none any more', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    await db.write('acceptMessage', draft({ id: `msg_${n}`, createdAt: t0 + n }))
    await db.write('recordEvent', accepted(`msg_${n}`))
  }
  await db.write('pruneContents', { createdBefore: t0 + 99, limit: 100 })
  const prepare = spyOn(db.writer.client, 'prepare')
  await db.write('pruneContents', { createdBefore: t0 + 99, limit: 100 })
  const [select = ''] = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  expect(queryPlan(db, select).split('; ')).toEqual([
    expect.stringMatching(/^SCAN message_contents$/),
    expect.stringMatching(/^SEARCH messages USING INTEGER PRIMARY KEY/),
  ])
})
