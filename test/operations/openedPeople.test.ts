import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { MessageDraft } from '../../db/contract/records.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { openedPeople } from '../../src/operations/channels/openedPeople.ts'
import {
  accepted,
  channel,
  draft,
  inbound,
  line,
  openDatabase,
  refused,
  seed,
  type TestDatabase,
  t0,
} from '../db/fixtures.ts'

const now = t0 + 2 * dayMs
let db: TestDatabase
beforeEach(async () => {
  db = openDatabase()
  await seed(db)
})
afterEach(() => db.close())

async function send(id: string, recipient: string, fields: Partial<MessageDraft> = {}) {
  const sent = { type: 'template', templateName: 'order', createdAt: now - hourMs, ...fields } as const
  await db.write('acceptMessage', draft({ id, recipient, ...sent }))
  await db.write('recordEvent', accepted(id))
}
const wrote = (phone: string, at: number, lineId = line().upstreamPhoneId) => {
  const message = inbound({
    ...{ channelMessageId: `wamid.${phone}.${at}`, upstreamPhoneId: lineId, at },
    from: { ...inbound().from, newContactId: `contact_${phone}`, phone },
  })
  return db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: now })
}
let turns = 0
const opened = () => {
  turns = 0
  const turn = async () => {
    turns += 1
  }
  return openedPeople(db.read, { workspaceId: 'ws_1', channelId: 'chan_1', now, turn })
}

test('each person counts once, whom a template reached within a day without a word from them before', async () => {
  const [stranger, customer, former, late] = ['+4930000001', '+4930000002', '+4930000003', '+4930000004']
  await send('msg_1', stranger)
  await send('msg_2', stranger, { createdAt: now - 2 * hourMs })
  await wrote(customer, now - 3 * hourMs)
  await send('msg_3', customer)
  await wrote(former, now - 26 * hourMs)
  await send('msg_4', former)
  // Their answer came after it.
  await send('msg_5', late)
  await wrote(late, now - 1_000)
  expect(await opened()).toEqual({ count: 3, isMore: false })
  expect(turns).toBe(2)
})

test('what is older, of another account, of another type, or was refused does not count', async () => {
  await send('msg_1', '+4930000001', { createdAt: now - dayMs - 1 })
  await send('msg_2', '+4930000002', { type: 'text', templateName: null })
  await db.write('connectChannel', channel({ id: 'chan_2', accountId: '100002' }))
  await db.write('addLine', line({ id: 'line_2', channelId: 'chan_2', upstreamPhoneId: '2' }))
  await send('msg_3', '+4930000003', { channelId: 'chan_2', lineId: 'line_2' })
  await db.write(
    'acceptMessage',
    draft({ id: 'msg_4', recipient: '+4930000004', type: 'template', createdAt: now - 1 }),
  )
  await db.write('recordEvent', refused('msg_4'))
  expect(await opened()).toEqual({ count: 0, isMore: false })
})
