import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { StoreReads } from '../../../db/contract/store.ts'
import { keepingSettings } from '../../../db/rules/keptSettings.ts'
import { openForReading } from '../../../db/sqlite/open.ts'
import { sendReads } from '../../../db/sqlite/sendReads.ts'
import { storeReads } from '../../../db/sqlite/store.ts'
import { openDatabase, type TestDatabase, t0 } from '../fixtures.ts'
import { filters } from '../searchedMessages.ts'
import { queryPlan } from './queryPlan.ts'

/** Every read of the store: what it is asked for a workspace, or why it is no list of one. */
type Lists = { readonly [Name in keyof StoreReads]: readonly Parameters<StoreReads[Name]>[0][] | NoList }
type NoList = 'one thing by its id' | 'what belongs to one thing' | 'for the operator, of all workspaces'

const workspaceId = 'ws_1'
const byId = 'one thing by its id'
const ofOne = 'what belongs to one thing'
const ofAll = 'for the operator, of all workspaces'

const steps = filters.flatMap(([, filter]) =>
  (['older', 'newer'] as const).flatMap(direction =>
    [undefined, `${t0}.7`].map(cursor => ({ workspaceId, ...filter, direction, cursor, limit: 2, scan: 3 })),
  ),
)

const lists: Lists = {
  keys: [workspaceId],
  channels: [workspaceId],
  lines: [workspaceId],
  members: [workspaceId],
  hasDelivered: [workspaceId],
  dueLines: ofAll,
  dueMessages: ofOne,
  scheduledCount: [{ workspaceId, before: t0, max: 2 }],
  plan: [{ workspaceId, month: '2026-01' }],
  optedOut: [
    { workspaceId, address: '+491' },
    { workspaceId, address: 'user.1' },
  ],
  roleIn: [{ workspaceId, userId: 'user_1' }],
  invitations: [{ workspaceId, at: t0 }],
  templateGenerations: [workspaceId],
  removedNames: byId,
  templateListed: [{ workspaceId, upstreamId: '1' }],
  templateStep: ofOne,
  templates: [
    { workspaceId, approved: true },
    { workspaceId, approved: false, name: 'order' },
  ],
  contacts: [{ workspaceId, limit: 2 }],
  contactsAt: [{ workspaceId, addresses: ['+491', '+492', 'user.1'] }],
  formerUserIds: [{ workspaceId, userId: 'user.1' }],
  spelling: [{ workspaceId, spelling: '+491' }],
  spellings: [{ workspaceId, number: '+491' }],
  searchContacts: [
    { workspaceId, limit: 2, scan: 3 },
    { workspaceId, limit: 2, scan: 3, cursor: 'contact_9' },
    { workspaceId, limit: 2, scan: 3, isByHeard: true, cursor: '9' },
    { workspaceId, limit: 2, scan: 3, words: [{ words: 'Ada', digits: null }] },
    { workspaceId, limit: 1, scan: 1, phone: '+4930123' },
    { workspaceId, limit: 1, scan: 1, userId: 'user.1' },
  ],
  conversations: [
    { workspaceId, limit: 2, scan: 3 },
    { workspaceId, limit: 2, scan: 3, cursor: 9 },
    { workspaceId, limit: 2, scan: 3, lineId: 'line_1' },
    { workspaceId, limit: 2, scan: 3, isUnread: true, words: [{ words: '493', digits: '493' }] },
    ...(['open', 'free', 'done', { takenBy: 'user_1' }] as const).map(state => ({
      workspaceId,
      limit: 2,
      scan: 3,
      state,
    })),
  ],
  conversationCounts: [{ workspaceId, userId: 'user_1', max: 3, scan: 3 }],
  messages: filters.map(([, filter]) => ({ workspaceId, ...filter, limit: 2 })),
  searchMessages: steps,
  events: [
    { workspaceId, after: 0, limit: 2 },
    { workspaceId, after: 3, types: ['message.sent', 'message.received'], limit: 2 },
    { workspaceId, after: 3, lineIds: ['line_1'], limit: 2 },
  ],
  numberedEvents: [{ workspaceId, seqs: [1, 2] }],
  lastEvent: [workspaceId],
  lastNumber: [workspaceId],
  apiRequests: [
    { workspaceId, outcome: 'answered', before: null, since: t0, scan: 2 },
    { workspaceId, outcome: 'refused', before: 3, since: t0, scan: 2 },
  ],
  webhooks: [workspaceId],
  heardPeople: [null, 9].map(after => ({ workspaceId, since: 0, after, limit: 2 })),
  people: [null, 'contact_9'].map(after => ({ workspaceId, after, limit: 2 })),
  batches: [null, 'batch_9'].map(after => ({ workspaceId, after, limit: 2 })),
  lastStates: [{ workspaceId, limit: 9 }],
  openMessages: [{ workspaceId, max: 3 }],
  dailyCounts: [{ workspaceId, since: '2026-01-01' }],
  monthlyCounts: [{ workspaceId, month: '2026-01' }],
  priceCounts: [{ workspaceId, month: '2026-01' }],
  priceRates: [workspaceId],
  putAwayFindings: [{ workspaceId, at: t0 }],
  templateCounts: [{ workspaceId, since: '2026-01-01', limit: 10 }],
  usage: [
    { workspaceId, limit: 2 },
    { workspaceId, month: '2026-01', limit: 2 },
  ],
  inboundMessages: [
    {},
    { contactId: 'contact_1' },
    { lineId: 'line_1' },
    { contactId: 'contact_1', lineId: 'line_1' },
  ].map(filter => ({ workspaceId, ...filter, after: 9, limit: 2, scan: 3 })),
  searchInbound: [{}, { contactId: 'contact_1' }, { cursor: 9 }].map(filter => ({
    ...{ workspaceId, ...filter, limit: 2, scan: 3 },
    words: ['Ada', '493'].map(words => ({ words, digits: null })),
  })),
  auditEntries: [
    { workspaceId, limit: 2 },
    { workspaceId, after: 9, limit: 2 },
    { workspaceId, actor: 'cli:ada', action: 'key', since: 1, until: 9, limit: 2 },
  ],
  workspace: byId,
  property: byId,
  batch: byId,
  key: byId,
  sendingKey: byId,
  channel: byId,
  line: byId,
  lineAddress: byId,
  template: byId,
  contact: byId,
  contactById: byId,
  message: byId,
  statusView: byId,
  messageContent: byId,
  authors: byId,
  messageContents: byId,
  sentAgainAs: ofOne,
  messagesReferred: byId,
  namedMessages: byId,
  idempotencyKey: byId,
  media: byId,
  file: byId,
  sentFiles: ofOne,
  wantedFiles: byId,
  dueFiles: ofAll,
  openErasures: ofAll,
  storedBytes: ofAll,
  user: byId,
  userByEmail: byId,
  session: byId,
  sessions: ofOne,
  userOfFamily: byId,
  invitation: byId,
  isSetupOpen: byId,
  templatesNamed: ofOne,
  timeline: ofOne,
  countBatchItems: ofOne,
  firstBatchItems: ofOne,
  batchItemStates: ofOne,
  batchItems: ofOne,
  claimedBatchItems: ofOne,
  inbound: ofOne,
  heard: ofOne,
  heardOfEach: byId,
  inboundTimes: ofOne,
  inboundMessage: byId,
  webhook: byId,
  delivery: byId,
  deliveries: ofOne,
  dueDeliveries: ofOne,
  knownDeliveries: ofOne,
  updates: ofOne,
  flowSessions: ofOne,
  memberships: ofOne,
  recoveryCodesLeft: ofOne,
  workspaces: ofAll,
  runningBatches: ofAll,
  callbackReceipts: ofAll,
  unknownMessages: ofAll,
  handedOverSince: ofAll,
  countedUsage: ofAll,
  hasUsers: ofAll,
  sealedTotps: ofAll,
  openWebhooks: ofAll,
  sealedWebhooks: ofAll,
  webhookStates: ofAll,
  rateWindows: ofAll,
}

let db: TestDatabase
beforeAll(() => {
  db = openDatabase()
})
afterAll(() => db.close())

/** @returns the statements that the reads run */
async function statementsOf(ask: (read: StoreReads) => Promise<unknown>): Promise<string[]> {
  const ran: string[] = []
  const reader = openForReading(db.folder.file)
  const { client } = reader
  /** Also of a statement that is prepared before it is asked for anything. */
  const noting = <Prepare extends typeof client.prepare | typeof client.query>(prepare: Prepare): Prepare =>
    ((sql: string, ...rest: []) => {
      const statement = prepare.call(client, sql, ...rest)
      for (const method of ['all', 'get', 'values'] as const) {
        const run = statement[method].bind(statement)
        const noted = (...values: []) => {
          ran.push(sql)
          return run(...values)
        }
        Object.assign(statement, { [method]: noted })
      }
      return statement
    }) as Prepare
  client.prepare = noting(client.prepare)
  client.query = noting(client.query)
  try {
    await ask(keepingSettings({ ...sendReads(reader), ...storeReads(reader) }))
  } finally {
    client.close()
  }
  return ran
}

/** The first table that a statement reads: the others are looked up for each row of it. */
const firstOf = (sql: string) => queryPlan(db, sql).match(/(SEARCH|SCAN) [^;]*/)?.[0] ?? 'no table'

/** By the workspace itself, or along an index in which its id, or the end of it, is compared first. */
const isLed = (plan: string) =>
  // Up to where the usage of all is counted: one row.
  plan.startsWith('SEARCH properties USING INDEX sqlite_autoindex_properties_1 (name=?)') ||
  plan.startsWith('SEARCH workspaces USING INDEX sqlite_autoindex_workspaces_1 (id=?)') ||
  // What is counted and listed by its rows alone: a bounded number of the newest messages (`uncounted.ts`).
  plan === 'SEARCH messages USING INTEGER PRIMARY KEY (rowid>?)' ||
  // What its members did that concerns no single workspace.
  plan.startsWith('SEARCH audit_entries USING INDEX audit_entries_subject (subject=?') ||
  // A contact and a line are of one workspace.
  /inbound_messages_(contact_seq \(contact_id|line_seq \(line_id)=\? AND seq>\?/.test(plan) ||
  plan.includes('inbound_messages_changes (contact_id=? AND at>?') ||
  /\((workspace_id=\?|<expr>=\? AND (recipient|reference)=\?|status=\? AND <expr>=\?)/.test(plan)

const calls = Object.entries(lists).flatMap(([name, list]) =>
  typeof list === 'string' ? [] : list.map(argument => [name, argument] as const),
)

describe.each([
  ['as a new database is planned for', () => {}],
  ['with the statistics of a large neighbour', fill],
] as const)('no list of a workspace reads what others have, %s', (_, prepare) => {
  beforeAll(() => prepare())

  test('whatever it is asked for', async () => {
    for (const [name, argument] of calls) {
      const statements = await statementsOf(read => Reflect.get(read, name)(argument))
      expect([name, argument, statements]).not.toEqual([name, argument, []])
      const others = statements.map(firstOf).filter(plan => !isLed(plan))
      expect([name, argument, others]).toEqual([name, argument, []])
    }
  })
})

/** As the writer leaves it: SQLite knows then how many rows each index has of a value. */
function fill(): void {
  const { client } = db.writer
  const every = (rows: number) => `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${rows})`
  const owner = "CASE WHEN n % 50 = 0 THEN 'ws_1' ELSE 'ws_2' END"
  client.run(`${every(300)} INSERT INTO workspaces (id, name, created_at) SELECT 'ws_' || n, 'Acme', 1 FROM n`)
  client.run(`${every(300)} INSERT INTO plan_usage SELECT 'ws_' || n, '2026-01', 1 FROM n`)
  client.run(`${every(3_000)} INSERT INTO contacts (id, workspace_id, phone, name, created_at, updated_at)
    SELECT 'contact_' || n, ${owner}, '+49' || n, 'Ada', ${t0}, ${t0} FROM n`)
  client.run(`${every(6_000)} INSERT INTO messages (id, workspace_id, line_seq, recipient, type, status, created_at)
    SELECT 'msg_' || n, ${owner}, 1, '+49' || (n % 700), 'text',
      CASE n % 20 WHEN 1 THEN 'QUEUED' WHEN 2 THEN 'UNKNOWN' WHEN 3 THEN 'FAILED' ELSE 'READ' END, ${t0} + n FROM n`)
  client.run(`${every(2_000)} INSERT INTO audit_entries (at, actor, action, subject, workspace_id)
    SELECT ${t0} + n, 'cli:ada', 'key.create', 'pk_' || n, ${owner} FROM n`)
  client.run(`${every(6_000)} INSERT INTO inbound_messages
      (channel_id, workspace_id, seq, channel_message_id, contact_id, line_id, kind, at, recorded_at, content)
    SELECT 'chan_1', ${owner}, n, 'wamid.' || n, 'contact_' || (n % 300), 'line_' || (n % 3), 'text', ${t0}, ${t0}, '{}' FROM n`)
  client.run('ANALYZE')
}
