import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { storeWrites } from '../../../db/sqlite/writes.ts'
import {
  accepted,
  addOther,
  draft,
  ofOther,
  openDatabase,
  recorded,
  refused,
  report,
  seed,
  type TestDatabase,
  t0,
  used,
} from '../fixtures.ts'

let db: TestDatabase
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
})
afterEach(() => db.close())

async function send(id: string, fields: Parameters<typeof draft>[0] = {}): Promise<void> {
  await db.write('acceptMessage', draft({ id, ...fields }))
  await db.write('recordEvent', accepted(id))
}

const onDisk = (sql: string) => db.reader.client.query<{ count: number }, []>(sql).get()?.count ?? 0
const usedOnDisk = () => onDisk("SELECT used AS count FROM plan_usage WHERE workspace_id = 'ws_1'")
const counts = async () =>
  (await db.read.dailyCounts({ workspaceId: 'ws_1', since: '' }))
    .filter(({ count }) => count !== 0)
    .map(({ kind, count }) => `${kind} ${count}`)
/** All that tells of counts: of the plan for the next send, of the month, and of the days. */
const told = async () => [await used(db), (await db.read.usage({ limit: 1 }))[0]?.used, await counts()]

test('a send writes no counts, whoever reads them gets all of them, and some sends later they are written', async () => {
  const sends = 250
  let behindMax = 0
  for (let n = 1; n <= sends; n += 1) {
    await send(`msg_${n}`)
    expect(await used(db)).toBe(n)
    behindMax = Math.max(behindMax, n - usedOnDisk())
  }
  expect(await told()).toEqual([sends, sends, [`SENT ${sends}`]])
  // Of the months' messages, the first is counted at once.
  expect([behindMax > 50, behindMax <= 100]).toEqual([true, true])
})

test('what becomes of a message counts, wherever its count is', async () => {
  await send('msg_1')
  await send('msg_2')
  const reports = ['msg_1', 'msg_2'].map(messageId => report('delivered', { messageId }))
  await db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
  expect([usedOnDisk(), await told()]).toEqual([1, [2, 2, ['DELIVERED 2', 'within:1 2']]])
})

test('what a refusal gives back is exact, of a message that is counted by its row as well', async () => {
  for (const id of ['msg_1', 'msg_2', 'msg_3']) await db.write('acceptMessage', draft({ id }))
  await db.write('recordEvent', accepted('msg_2'))
  await db.write('recordEvent', refused('msg_3'))
  expect(await told()).toEqual([2, 2, ['FAILED 1', 'SENT 1', 'failed:131026 1']])
})

test('what waits for its time counts in the month of its release', async () => {
  await send('msg_1')
  const dueAt = Date.UTC(2026, 1, 1)
  await db.write('scheduleMessage', { ...draft({ id: 'msg_2', dispatchedAt: null }), dueAt })
  expect(await used(db)).toBe(1)
})

test('a limit holds for the process that comes after a kill', async () => {
  await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 3 })
  await send('msg_1')
  await send('msg_2')
  const next = storeWrites(db.writer)
  const answers = await next.commit(
    ['msg_3', 'msg_4'].map((id, at) => ({ id: at, verb: 'acceptMessage', argument: draft({ id }) })),
  )
  expect(answers.map(answer => answer.ok && (answer.value as { outcome: string }).outcome)).toEqual([
    'accepted',
    'planExhausted',
  ])
})

test('numbers of messages that are given again count again', async () => {
  await addOther(db)
  await send('msg_1')
  for (const id of ['msg_2', 'msg_3']) await send(id, ofOther)
  while (!(await db.write('eraseWorkspace', { workspaceId: 'ws_2', limit: 100, at: t0 })).isDone);
  for (const id of ['msg_4', 'msg_5', 'msg_6']) await send(id)
  expect(await told()).toEqual([4, 4, ['SENT 4']])
})

test('of a file in which all is counted, only what comes is counted', async () => {
  await send('msg_1')
  await send('msg_2')
  // A verb counts all that writes otherwise than a send. A file of an earlier version has no mark.
  await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: null })
  db.writer.client.run("DELETE FROM properties WHERE name = 'counted'")
  const next = storeWrites(db.writer)
  await next.commit([{ id: 1, verb: 'acceptMessage', argument: draft({ id: 'msg_3' }) }])
  expect(await told()).toEqual([3, 3, ['SENT 2']])
})

describe('what leaves at once is in no index of what is not settled, and is found all the same', () => {
  const workspaceId = 'ws_1'
  const queued = async (cursor?: string): Promise<string[]> => {
    const how = { direction: 'older', limit: 2, scan: 2 } as const
    const { messages, next } = await db.read.searchMessages({ workspaceId, status: ['QUEUED'], ...how, cursor })
    return [...messages.map(({ id }) => id), ...(next === null ? [] : await queued(next))]
  }
  const listed = () => onDisk("SELECT count(*) AS count FROM messages WHERE status = 'QUEUED' AND listed IS NOT NULL")
  const ids = ['msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5', 'msg_6']
  beforeEach(async () => {
    await send('msg_0')
    for (const [n, id] of ids.entries())
      await db.write('acceptMessage', draft({ id, dispatchedAt: n % 3 === 0 ? null : t0 }))
  })

  test('with what waits, in one order, and counted', async () => {
    expect([listed(), await queued()]).toEqual([2, ids.toReversed()])
    expect(await db.read.openMessages({ workspaceId, max: 9 })).toMatchObject({ queued: 6, isMore: false })
    expect(await db.read.openMessages({ workspaceId, max: 4 })).toMatchObject({ queued: 4, isMore: true })
  })

  test('once the mark has moved, it is in the index', async () => {
    await db.write('setMonthlyLimit', { workspaceId, limit: null })
    expect([listed(), await queued()]).toEqual([6, ids.toReversed()])
    await db.write('recordEvent', accepted('msg_2'))
    expect([listed(), await queued()]).toEqual([5, ids.toReversed().filter(id => id !== 'msg_2')])
  })

  test('where it has to wait again, or its answer is lost', async () => {
    await db.write('deferMessages', { messages: [{ messageId: 'msg_2', payload: null, refusal: null }], at: t0 })
    await db.write('recordEvent', recorded('msg_3', { kind: 'lost', at: t0 }))
    await db.write('handOverMessages', { messageIds: ['msg_1'], at: t0 })
    expect([listed(), await queued()]).toEqual([3, ids.toReversed().filter(id => id !== 'msg_3')])
    expect(await db.read.unknownMessages()).toMatchObject({ count: 1 })
  })

  test('by the process that comes after a kill', async () => {
    const next = storeWrites(db.writer)
    const calls = [
      ['markInterrupted', { at: t0 }],
      ['claimWaiting', { after: null, limit: 9 }],
    ] as const
    const answers = await next.commit(calls.map(([verb, argument], id) => ({ id, verb, argument })))
    const [interrupted, waiting] = answers.map(answer => answer.ok && answer.value)
    expect(interrupted).toBe(4)
    expect(waiting).toMatchObject([{ message: { id: 'msg_1' } }, { message: { id: 'msg_4' } }])
  })
})
