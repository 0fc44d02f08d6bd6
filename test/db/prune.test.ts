import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { hungAfterMs } from '../timeLimit.ts'
import {
  accepted,
  draft,
  inbound,
  openDatabase,
  recorded,
  report,
  seed,
  single,
  type TestDatabase,
  t0,
  withKey,
} from './fixtures.ts'
import { queryPlan } from './queryPlan.ts'

setDefaultTimeout(hungAfterMs)

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
  seed(db)
})
afterEach(() => db.close())

const count = (table: string) => single(db, `SELECT count(*) FROM ${table}`)
const numbers = Array.from({ length: 5 }, (_, index) => index + 1)

describe('idempotency keys', () => {
  beforeEach(() => {
    for (const n of numbers) db.write('acceptMessage', draft({ id: `msg_${n}`, ...withKey(`k-${n}`, 'f0', t0 + n) }))
  })

  test('go at the time they expire, not before', () => {
    expect(db.write('pruneIdempotencyKeys', { expiredBefore: t0 + 2, limit: 100 })).toBe(2)
    expect(count('idempotency_keys')).toBe(3)
    expect(db.write('pruneIdempotencyKeys', { expiredBefore: t0 + 2, limit: 100 })).toBe(0)
  })

  test('one that was used anew after it expired does not keep those behind it', () => {
    db.write('acceptMessage', draft({ id: 'msg_9', createdAt: t0 + 2, ...withKey('k-1', 'f0', t0 + 100) }))
    expect(db.write('pruneIdempotencyKeys', { expiredBefore: t0 + 5, limit: 1 })).toBe(1)
    expect(count('idempotency_keys')).toBe(4)
  })

  test('go in bites of at most the size that was asked for', () => {
    const bites = [1, 2, 3].map(() => db.write('pruneIdempotencyKeys', { expiredBefore: t0 + 99, limit: 2 }))
    expect(bites).toEqual([2, 2, 1])
  })
})

describe('rate windows', () => {
  test('go when they began before then, in bites', () => {
    const windows = numbers.map(n => ({ subject: `ip:${n}`, startsAt: t0 + n, count: 1 }))
    db.write('countRequests', { windows })
    expect(db.write('pruneRateWindows', { startedBefore: t0 + 4, limit: 2 })).toBe(2)
    expect(db.write('pruneRateWindows', { startedBefore: t0 + 4, limit: 2 })).toBe(1)
    expect(count('rate_windows')).toBe(2)
  })
})

describe('parked callbacks', () => {
  beforeEach(() => {
    for (const n of numbers) {
      const reports = [report('sent', { messageId: null, channelMessageId: `wamid.${n}` })]
      db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 + n })
    }
  })

  const ids = () => db.reader.client.query('SELECT channel_message_id FROM parked_reports ORDER BY 1').values().flat()
  const prune = (fields: { recordedBefore?: number; keep?: number; limit?: number }) =>
    db.write('pruneParkedReports', { recordedBefore: 0, keep: 100, limit: 100, ...fields })

  test('go when they came before then', () => {
    expect(prune({ recordedBefore: t0 + 3 })).toBe(2)
    expect(ids()).toEqual(['wamid.3', 'wamid.4', 'wamid.5'])
  })

  test('beyond the number to keep the oldest go', () => {
    expect(prune({ keep: 2 })).toBe(3)
    expect(ids()).toEqual(['wamid.4', 'wamid.5'])
    expect(prune({ keep: 2 })).toBe(0)
  })

  test('go in bites: neither rule takes more than was asked for', () => {
    expect(prune({ recordedBefore: t0 + 99, limit: 2 })).toBe(2)
    expect(prune({ keep: 0, limit: 2 })).toBe(2)
    expect(ids()).toEqual(['wamid.5'])
  })

  test('both rules together take no more than was asked for', () => {
    expect(prune({ recordedBefore: t0 + 99, keep: 0, limit: 2 })).toBeLessThanOrEqual(2)
  })
})

describe('uploaded files', () => {
  test('go at the time they expire, in bites', () => {
    for (const n of numbers) {
      db.write('rememberMedia', { lineId: 'line_1', link: `l${n}`, format: 'image', mediaId: '1', expiresAt: t0 + n })
    }
    expect(db.write('pruneMedia', { expiredBefore: t0 + 3, limit: 2 })).toBe(2)
    expect(db.write('pruneMedia', { expiredBefore: t0 + 3, limit: 2 })).toBe(1)
    expect(count('media_uploads')).toBe(2)
  })
})

describe('messages', () => {
  const settle = (n: number) => {
    db.write('acceptMessage', draft({ id: `msg_${n}`, createdAt: t0 + n }))
    db.write('recordEvent', accepted(`msg_${n}`))
  }
  const prune = (createdBefore: number, limit = 100) => db.write('pruneMessages', { createdBefore, limit })

  test('go with their timelines when they are older than their retention', () => {
    numbers.forEach(settle)
    expect(prune(t0 + 3)).toBe(2)
    expect(count('messages')).toBe(3)
    expect(count('message_contents')).toBe(3)
    expect(count('message_events')).toBe(3)
  })

  test('go oldest first, in bites', async () => {
    numbers.forEach(settle)
    expect(prune(t0 + 99, 2)).toBe(2)
    expect(await db.read.message('msg_2')).toBeNull()
    expect(await db.read.message('msg_3')).not.toBeNull()
    expect([prune(t0 + 99, 2), prune(t0 + 99, 2), prune(t0 + 99, 2)]).toEqual([2, 1, 0])
  })

  test('what is not settled stays, however old, and holds nothing younger back', async () => {
    db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, dispatchedAt: null }))
    db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 2 }))
    db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 + 2 }))
    settle(3)
    expect(prune(t0 + 99, 1)).toBe(1)
    expect(prune(t0 + 99, 1)).toBe(0)
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'QUEUED' })
    expect(await db.read.message('msg_2')).toMatchObject({ status: 'UNKNOWN' })
  })

  test('go with the flows that they opened, and with no other', async () => {
    const opensFlow = { contactId: 'contact_1', flowToken: 'tok' }
    for (const n of [1, 2]) {
      db.write('acceptMessage', draft({ id: `msg_${n}`, createdAt: t0 + n, type: 'interactive', opensFlow }))
      db.write('recordEvent', accepted(`msg_${n}`))
    }
    expect(prune(t0 + 2)).toBe(1)
    expect((await db.read.flowSessions('contact_1')).map(({ messageId }) => messageId)).toEqual(['msg_2'])
  })

  test('one of the console stays as well while its idempotency key lives', async () => {
    const { idempotency } = withKey('k')
    const fromConsole = { apiKeyId: null, idempotency: { ...idempotency, scope: 'ws_1' } }
    db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, ...fromConsole }))
    db.write('recordEvent', accepted('msg_1'))
    expect(prune(t0 + 99)).toBe(0)
    expect(db.write('pruneIdempotencyKeys', { expiredBefore: idempotency.expiresAt, limit: 100 })).toBe(1)
    expect(prune(t0 + 99)).toBe(1)
  })

  test('a key keeps its own message, not the one that it named before it was used anew', async () => {
    db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, ...withKey('k', 'f0', t0 + 2) }))
    db.write('recordEvent', accepted('msg_1'))
    db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 3, ...withKey('k') }))
    db.write('recordEvent', accepted('msg_2'))
    expect(prune(t0 + 99)).toBe(1)
    expect([await db.read.message('msg_1'), (await db.read.message('msg_2'))?.id]).toEqual([null, 'msg_2'])
  })

  test('their contents go before them, oldest first and in bites', async () => {
    numbers.forEach(settle)
    const drop = (createdBefore: number, limit = 100) => db.write('pruneContents', { createdBefore, limit })
    expect(drop(t0 + 3, 1)).toBe(1)
    expect(await db.read.messageContent('msg_1')).toBeNull()
    expect(drop(t0 + 3)).toBe(1)
    expect(drop(t0 + 3)).toBe(0)
    expect(await db.read.messageContent('msg_3')).not.toBeNull()
    expect(count('messages')).toBe(5)
  })

  test('contents of what waits stay and hold nothing younger back; those of an unknown outcome go', async () => {
    db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 + 1, dispatchedAt: null }))
    db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 2 }))
    db.write('recordEvent', recorded('msg_2', { kind: 'lost', at: t0 + 2 }))
    settle(3)
    expect(db.write('pruneContents', { createdBefore: t0 + 99, limit: 2 })).toBe(2)
    expect(await db.read.messageContent('msg_1')).toBe(draft().payload)
    expect(count('message_contents')).toBe(1)
  })

  test('looking for contents reads nothing of the messages that have none any more', () => {
    numbers.forEach(settle)
    db.write('pruneContents', { createdBefore: t0 + 99, limit: 100 })
    const prepare = spyOn(db.writer.client, 'prepare')
    db.write('pruneContents', { createdBefore: t0 + 99, limit: 100 })
    const [select = ''] = prepare.mock.calls.map(([sql]) => sql)
    prepare.mockRestore()
    expect(queryPlan(db, select).split('; ')).toEqual([
      expect.stringMatching(/^SCAN message_contents$/),
      expect.stringMatching(/^SEARCH messages USING INTEGER PRIMARY KEY/),
    ])
  })

  test('the count of the month stays true', async () => {
    numbers.forEach(settle)
    prune(t0 + 99)
    expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ used: 5 })
  })
})

describe('messages of users', () => {
  const receive = (n: number) =>
    db.write('recordInbound', {
      channelId: 'chan_1',
      recordedAt: t0 + n,
      messages: [inbound({ channelMessageId: `wamid.${9 - n}` })],
    })
  const ids = () => db.reader.client.query('SELECT channel_message_id FROM inbound_messages ORDER BY 1').values().flat()
  const prune = (recordedBefore: number, limit = 100) => db.write('pruneInbound', { recordedBefore, limit })

  test('go when they came before then, and their contact stays', () => {
    numbers.forEach(receive)
    expect(prune(t0 + 3)).toBe(2)
    expect(ids()).toEqual(['wamid.4', 'wamid.5', 'wamid.6'])
    expect(count('contacts')).toBe(1)
  })

  test('that came while the clock was ahead hold back none that came after', () => {
    for (const n of [901, 902, 1, 2]) receive(n)
    expect(prune(t0 + 3, 2)).toBe(2)
    expect(ids()).toEqual(['wamid.-892', 'wamid.-893'])
  })

  test('their contents go before them, in bites; kind and times stay', async () => {
    numbers.forEach(receive)
    const drop = (recordedBefore: number, limit = 100) => db.write('pruneInboundContents', { recordedBefore, limit })
    expect([drop(t0 + 4, 2), drop(t0 + 4, 2), drop(t0 + 4, 2)]).toEqual([2, 1, 0])
    const left = await db.read.inbound({ contactId: 'contact_1', limit: 10 })
    expect(left.map(({ recordedAt, content }) => [recordedAt - t0, Object.keys(content).length])).toEqual(
      expect.arrayContaining([
        [1, 0],
        [2, 0],
        [3, 0],
        [4, 1],
        [5, 1],
      ]),
    )
  })

  test('go oldest first, in bites', () => {
    numbers.forEach(receive)
    expect(prune(t0 + 99, 2)).toBe(2)
    expect(ids()).toEqual(['wamid.4', 'wamid.5', 'wamid.6'])
    expect([prune(t0 + 99, 2), prune(t0 + 99, 2), prune(t0 + 99, 2)]).toEqual([2, 1, 0])
  })
})
