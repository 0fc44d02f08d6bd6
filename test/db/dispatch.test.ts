import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Deferral } from '../../db/records.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { draft, openDatabase, recorded, report, seed, type TestDatabase, t0, withKey } from './fixtures.ts'

setDefaultTimeout(hungAfterMs)

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
  seed(db)
})
afterEach(() => db.close())

const accept = (id: string, dispatchedAt: number | null) => db.write('acceptMessage', draft({ id, dispatchedAt }))
const deferral = (messageId: string, fields: Partial<Deferral> = {}): Deferral => ({
  messageId,
  payload: null,
  refusal: null,
  ...fields,
})
const defer = (...messages: Deferral[]) => db.write('deferMessages', { messages, at: t0 + 3 })
const clear = (...messageIds: string[]) => db.write('clearMessages', { messageIds, at: t0 + 5 })
const waiting = async () =>
  (await db.read.resumable({ after: '', limit: 10 })).map(({ message, payload }) => [message.id, payload])
const kinds = async (id: string) => (await db.read.timeline(id)).map(({ kind }) => kind)
const callback = (status: 'sent' | 'failed', messageId: string) =>
  db.write('applyReports', {
    channelId: 'chan_1',
    reports: [report(status, { messageId, channelMessageId: `wamid.${messageId}` })],
    recordedAt: t0 + 4,
  })

describe('clearMessages', () => {
  test('marks all of them as handed over, in one step, and says which may go', async () => {
    for (const id of ['msg_1', 'msg_2', 'msg_3']) accept(id, null)
    expect(clear('msg_1', 'msg_2')).toEqual(['msg_1', 'msg_2'])
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'QUEUED', dispatchedAt: t0 + 5 })
    expect((await waiting()).map(([id]) => id)).toEqual(['msg_3'])
    expect(await kinds('msg_2')).toEqual(['dispatched'])
  })

  test('does not let one go that a callback has shown to have gone out before', async () => {
    for (const id of ['msg_1', 'msg_2']) accept(id, t0)
    defer(deferral('msg_1'), deferral('msg_2'))
    callback('sent', 'msg_1')
    expect(clear('msg_1', 'msg_2')).toEqual(['msg_2'])
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'SENT' })
  })

  test('lets one go whose earlier attempt is reported as failed: another one follows', () => {
    accept('msg_1', t0)
    defer(deferral('msg_1'))
    callback('failed', 'msg_1')
    expect(clear('msg_1')).toEqual(['msg_1'])
  })

  test('does not know a message that is not there', () => {
    expect(clear('msg_9')).toEqual([])
  })
})

describe('deferMessages', () => {
  test('makes messages resumable as they are, without an entry on the timeline', async () => {
    for (const id of ['msg_1', 'msg_2']) accept(id, t0)
    defer(deferral('msg_1'), deferral('msg_2'))
    expect((await waiting()).map(([id]) => id)).toEqual(['msg_1', 'msg_2'])
    expect(await kinds('msg_1')).toEqual([])
  })

  test('replaces what is sent, and keeps on the timeline why', async () => {
    accept('msg_1', t0)
    defer(deferral('msg_1', { payload: '{"again":true}', refusal: { code: 131053 } }))
    expect(await waiting()).toEqual([['msg_1', '{"again":true}']])
    expect(await db.read.timeline('msg_1')).toEqual([
      { kind: 'deferred', at: t0 + 3, recordedAt: t0 + 3, detail: { code: 131053 } },
    ])
  })

  test('keeps the idempotency key and the count of the plan', async () => {
    const keyed = withKey('order-1', 'f0', t0 + 1_000)
    db.write('acceptMessage', draft({ id: 'msg_1', dispatchedAt: t0, ...keyed }))
    defer(deferral('msg_1', { payload: '{}', refusal: { code: 131053 } }))
    expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 1 })
    expect(db.write('acceptMessage', draft({ id: 'msg_2', ...keyed }))).toEqual({
      outcome: 'replayed',
      messageId: 'msg_1',
    })
  })

  test('leaves alone what has its end: nothing is sent again, and its content is what was sent', async () => {
    accept('msg_1', t0)
    db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
    defer(deferral('msg_1', { payload: '{"again":true}' }))
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'UNKNOWN', dispatchedAt: t0 })
    expect(await waiting()).toEqual([])
    expect(await db.read.messageContent('msg_1')).toBe(draft().payload)
  })
})
