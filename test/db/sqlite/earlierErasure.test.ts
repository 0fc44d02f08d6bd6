import { afterEach, beforeEach, expect, test } from 'bun:test'
import { wamid } from '../../message/wamids.ts'
import {
  accepted,
  draft,
  inbound,
  line,
  openDatabase,
  recorded,
  report,
  seed,
  type TestDatabase,
  t0,
} from '../fixtures.ts'

const at = t0 + 5
const phone = '+4930123456'

let db: TestDatabase
beforeEach(() => {
  db = openDatabase()
})
afterEach(() => db.close())

test('an erasure that an earlier version began takes what was created by then, and waits for it', async () => {
  await seed(db)
  await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  await db.write('forgetContact', { contactId: 'contact_1', at })
  db.writer.client.run('UPDATE erasures SET until_seq = NULL')
  for (const [id, createdAt] of [['msg_before', at] as const, ['msg_after', at + 1] as const]) {
    await db.write('acceptMessage', draft({ id, dispatchedAt: null, createdAt }))
    const to = { upstreamPhoneId: line().upstreamPhoneId, phone, userId: null }
    const parked = report('sent', { messageId: null, channelMessageId: wamid(phone.slice(1), id), to })
    await db.write('applyReports', { channelId: 'chan_1', reports: [parked], recordedAt: createdAt })
  }
  const erase = async () => {
    for (;;) {
      const step = await db.write('eraseContact', { contactId: 'contact_1', limit: 100, at })
      if (step?.state !== 'underWay') return step
    }
  }
  expect(await erase()).toMatchObject({ messages: 0, inbound: 1, state: 'waiting' })
  expect(db.reader.client.query('SELECT recorded_at FROM parked_reports').values()).toEqual([[at + 1]])
  for (const id of ['msg_before', 'msg_after']) {
    await db.write('recordEvent', recorded(id, { kind: 'dispatched', at }))
    await db.write('recordEvent', accepted(id))
  }
  expect(await erase()).toMatchObject({ messages: 1, state: 'done' })
  const recipients = ['msg_before', 'msg_after'].map(async id => (await db.read.message(id))?.recipient)
  expect(await Promise.all(recipients)).toEqual(['forgotten', phone])
})
