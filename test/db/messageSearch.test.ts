import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import type { FoundMessages, MessageSearch } from '../../db/queries.ts'
import type { Message } from '../../db/records.ts'
import { hungAfterMs } from '../timeLimit.ts'
import {
  accepted,
  apiKey,
  draft,
  line,
  openDatabase,
  recorded,
  refused,
  report,
  seed,
  type TestDatabase,
  t0,
} from './fixtures.ts'
import { queryPlan } from './queryPlan.ts'

setDefaultTimeout(hungAfterMs)

let db: TestDatabase
const messagesMade = 90

/** Of two workspaces, two lines, keys and templates, in every status; three of each moment. */
beforeAll(() => {
  db = openDatabase()
  seed(db)
  db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
  db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
  for (const id of ['pk_a', 'pk_b']) db.write('createKey', apiKey({ id }))
  for (let n = 0; n < messagesMade; n += 1) {
    const id = `msg_${String(n).padStart(3, '0')}`
    db.write(
      'acceptMessage',
      draft({
        id,
        workspaceId: n % 5 === 0 ? 'ws_2' : 'ws_1',
        lineId: n % 4 === 0 ? 'line_2' : 'line_1',
        recipient: `+49301234${n % 7}`,
        type: n % 3 === 0 ? 'template' : 'text',
        templateName: n % 3 === 0 ? (n % 2 === 0 ? 'order' : 'sale') : null,
        apiKeyId: n % 2 === 0 ? 'pk_a' : 'pk_b',
        createdAt: t0 + Math.floor(n / 3) * 1_000,
      }),
    )
    if (n % 6 === 1) db.write('recordEvent', accepted(id))
    if (n % 6 === 2) db.write('recordEvent', refused(id))
    if (n % 6 === 3) db.write('recordEvent', recorded(id, { kind: 'lost', at: t0 }))
    if (n % 6 >= 4) {
      const reports = [report('delivered', { messageId: id, channelMessageId: `wamid.${id}` })]
      db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
    }
  }
})
afterAll(() => db.close())

type Filter = Omit<MessageSearch, 'workspaceId' | 'direction' | 'cursor' | 'limit' | 'scan'>

const filters: [by: string, filter: Filter][] = [
  ['nothing', {}],
  ['recipient', { recipient: '+493012343' }],
  ['line', { lineId: 'line_2' }],
  ['key', { apiKeyId: 'pk_a' }],
  ['type', { type: 'template' }],
  ['template', { templateName: 'sale' }],
  ['a template that nobody sent', { templateName: 'none' }],
  ...(['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'UNKNOWN', 'READ'] as const).map(
    status => [status, { status }] as [string, Filter],
  ),
  ['dates', { since: t0 + 5_000, until: t0 + 20_000 }],
  ['dates and status', { since: t0 + 5_000, until: t0 + 20_000, status: 'FAILED' }],
  ['dates of what is open', { since: t0 + 5_000, until: t0 + 20_000, status: 'UNKNOWN' }],
  ['recipient, status and key', { recipient: '+493012341', status: 'QUEUED', apiKeyId: 'pk_a' }],
  ['line, key and template', { lineId: 'line_1', apiKeyId: 'pk_b', templateName: 'sale' }],
]

function fits(message: Message, { since = 0, until = Number.POSITIVE_INFINITY, ...fields }: Filter): boolean {
  if (message.workspaceId !== 'ws_1' || message.createdAt < since || message.createdAt >= until) return false
  return Object.entries(fields).every(([name, value]) => message[name as keyof Message] === value)
}

/** What the store has, newest first, filtered here. */
async function expected(filter: Filter): Promise<string[]> {
  const ids = Array.from({ length: messagesMade }, (_, n) => `msg_${String(n).padStart(3, '0')}`).reverse()
  const all = await Promise.all(ids.map(id => db.read.message(id)))
  return all.flatMap(message => (message && fits(message, filter) ? [message.id] : []))
}

/** All steps in one direction. */
async function walk(search: Omit<MessageSearch, 'workspaceId'>): Promise<FoundMessages[]> {
  const steps: FoundMessages[] = []
  let { cursor } = search
  for (;;) {
    const step = await db.read.searchMessages({ workspaceId: 'ws_1', ...search, cursor })
    steps.push(step)
    if (step.next === null) return steps
    cursor = step.next
  }
}

const idsOf = (steps: readonly FoundMessages[]) => steps.flatMap(({ messages }) => messages.map(({ id }) => id))

describe.each(filters)('a search by %s', (_, filter) => {
  test.each([
    [1, 1],
    [4, 3],
    [3, 10],
    [200, 200],
  ])('finds all of them once, newest first, in pages of %d and steps over %d', async (limit, scan) => {
    const steps = await walk({ ...filter, direction: 'older', limit, scan })
    expect(idsOf(steps)).toEqual(await expected(filter))
    for (const { messages } of steps) expect(messages.length).toBeLessThanOrEqual(limit)
  })

  test('finds the same ones the other way, oldest first', async () => {
    const steps = await walk({ ...filter, direction: 'newer', limit: 4, scan: 7 })
    expect(idsOf(steps)).toEqual((await expected(filter)).reverse())
  })

  test('goes on from any message that was found, in both directions', async () => {
    const ids = await expected(filter)
    const [page] = await walk({ ...filter, direction: 'older', limit: 200, scan: 200 })
    for (const [at, cursor] of (page?.cursors ?? []).entries()) {
      const older = await walk({ ...filter, direction: 'older', cursor, limit: 200, scan: 200 })
      const newer = await walk({ ...filter, direction: 'newer', cursor, limit: 200, scan: 200 })
      expect(idsOf(older)).toEqual(ids.slice(at + 1))
      expect(idsOf(newer)).toEqual(ids.slice(0, at).reverse())
    }
  })
})

test('a step that finds nothing says how far it has come', async () => {
  const [first] = await walk({ templateName: 'none', direction: 'older', limit: 10, scan: 12 })
  expect(first).toMatchObject({ messages: [], next: expect.any(String), reachedAt: expect.any(Number) })
})

test('a cursor that is none begins anew', async () => {
  const search = { workspaceId: 'ws_1', direction: 'older', limit: 3, scan: 10 } as const
  const [begun, strange] = await Promise.all([
    db.read.searchMessages(search),
    db.read.searchMessages({ ...search, cursor: "x' OR 1" }),
  ])
  expect(strange).toEqual(begun)
})

describe('no step reads more than it may', () => {
  /** How SQLite runs the two statements of a step. */
  async function plansOf(filter: Filter, cursor?: string): Promise<string[]> {
    const query = spyOn(db.reader.client, 'query')
    await db.read.searchMessages({ workspaceId: 'ws_1', ...filter, direction: 'older', cursor, limit: 3, scan: 5 })
    const statements = query.mock.calls.map(([sql]) => sql)
    query.mockRestore()
    return statements.map(sql => queryPlan(db, sql))
  }

  const indexOf = ({ recipient, status }: Filter) => {
    if (recipient !== undefined) return 'messages_recipient'
    if (status === 'FAILED') return 'messages_failed'
    return status === 'QUEUED' || status === 'UNKNOWN' ? 'messages_unsettled' : 'messages_workspace'
  }

  test.each(filters)('by %s: along one index, without sorting, with a bound on each side', async (_, filter) => {
    const { next } = await db.read.searchMessages({
      workspaceId: 'ws_1',
      ...filter,
      direction: 'older',
      limit: 1,
      scan: 2,
    })
    for (const cursor of [undefined, next ?? undefined]) {
      for (const plan of await plansOf(filter, cursor)) {
        expect(plan).toStartWith('SEARCH messages USING')
        expect(plan).toContain(` ${indexOf(filter)} `)
        expect(plan).not.toContain('TEMP B-TREE')
      }
    }
    const [, filtering = ''] = await plansOf(filter)
    if (indexOf(filter) !== 'messages_unsettled') expect(filtering).toContain('created_at>? AND created_at<?')
  })
})
