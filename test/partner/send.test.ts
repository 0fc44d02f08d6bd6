import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Inbound } from '../../db/contract/records.ts'
import { newId } from '../../src/base/ids.ts'
import { ManualClock } from '../clock.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from '../http/rawHttp.ts'
import { flow } from '../interactive/samples.ts'
import { accept } from '../upstream.ts'
import { messageAnswer } from './messageAnswer.ts'
import { text } from './refusals.ts'

const startedAt = Date.UTC(2026, 2, 29, 1, 30, 0, 7)
const clock = new ManualClock(startedAt)

const gateway = sharedFixture(() => startTestGateway({ clock, env: { CHANNEL_API_VERSION: 'v23.0' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})

/** The only request that reached the upstream since the test began. */
function sent() {
  expect(gateway.upstream.received.length).toBe(1)
  const [request] = gateway.upstream.received
  if (!request) throw new Error('nothing reached the upstream')
  return request
}

describe('201: a text', () => {
  test('the upstream gets exactly the body of its reference, on the path of the line', async () => {
    const { json } = await gateway.send({ ...text, content: 'Grüße 😀\nline "two"' })
    const request = sent()
    expect(`${request.method} ${request.path}`).toBe(`POST /v23.0/${gateway.line.upstreamPhoneId}/messages`)
    expect(request.headers.get('authorization')).toBe('Bearer access-token')
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(request.json).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+4915112345678',
      type: 'text',
      text: { body: 'Grüße 😀\nline "two"' },
      biz_opaque_callback_data: json.data.id,
    })
  })

  test('the answer has the fields of the contract and no other', async () => {
    const at = new Date(clock.now()).toISOString()
    const { status, headers, json } = await gateway.send(text)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(json).toEqual({ success: true, data: messageAnswer({ sentAt: at, createdAt: at }) })
  })

  test("the caller's reference comes back, with the answer and with each status", async () => {
    const reference = 'ä'.repeat(128)
    const { json } = await gateway.send({ ...text, reference })
    expect(json.data).toEqual(messageAnswer({ reference }))
    const { json: later } = await gateway.get(`/api/v1/public/messages/${json.data.id}`)
    expect(later.data).toEqual(messageAnswer({ reference }))
  })

  test('two equal sends without a key are two messages', async () => {
    const [one, two] = await Promise.all([gateway.send(text), gateway.send(text)])
    expect(one.json.data.id).not.toBe(two.json.data.id)
    expect(gateway.upstream.received.length).toBe(2)
  })

  test.each([
    ['one character', '.'],
    ['4096 characters', 'x'.repeat(4_096)],
    ['4096 emoji', '😀'.repeat(4_096)],
    ['a NUL', 'a\0b'],
    ['words of SQL', "'); DROP TABLE messages; --"],
    ['markup', '<b>{{1}}</b> $1 %s'],
  ])('%s arrives unchanged', async (_, content) => {
    expect((await gateway.send({ ...text, content })).status).toBe(201)
    expect(sent().json).toMatchObject({ text: { body: content } })
  })

  test('the wa_id that the upstream answers is kept on the message', async () => {
    const { json } = await gateway.send(text)
    const message = await gateway.gateway.store.read.message(json.data.id)
    expect(message).toMatchObject({ recipient: '+4915112345678', waId: '4915112345678', status: 'SENT' })
  })

  // RFC 8259 8.1: a parser may ignore a byte order mark instead of refusing it.
  test.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
    'application/json; profile=x',
  ])('the content type %p is JSON, a byte order mark before it is ignored', async contentType => {
    const { status } = await gateway.send(`\ufeff${JSON.stringify(text)}`, { 'content-type': contentType })
    expect(status).toBe(201)
  })

  test('a body of 128 KiB is taken, whether its length is told or not', async () => {
    const body = JSON.stringify(text).padEnd(131_072)
    expect((await gateway.send(body)).status).toBe(201)
    const { apiKey, apiSecret } = gateway.key
    const head = rawHead('POST /api/v1/public/messages/send', {
      Host: 'localhost',
      'Content-Type': 'application/json',
      apiKey,
      apiSecret,
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
    })
    expect((await exchangeRaw(gateway.url, head, `20000\r\n${body}\r\n`, '0\r\n\r\n')).status).toBe(201)
  })
})

/** How a number may be written: test/base/phone.test.ts. */
describe('201: phone', () => {
  test.each([
    ['4915112345678', '+4915112345678'],
    ['+49 (151) 1234.5678', '+4915112345678'],
    ['+39 06 1234 5678', '+390612345678'],
    ['\u202a+49 151 1234\u20115678\u202c', '+4915112345678'],
  ])('%p goes to %s, and no country rule rewrites it', async (phone, to) => {
    expect((await gateway.send({ ...text, phone })).status).toBe(201)
    expect(sent().json.to).toBe(to)
  })
})

describe('contactId', () => {
  const contactId = newId('contact')
  beforeAll(async () => {
    const { workspaceId } = gateway
    const phone = '+390612345678'
    await gateway.gateway.store.write.saveContact({
      id: contactId,
      workspaceId,
      phone,
      name: 'Ada',
      userId: null,
      createdAt: startedAt,
      updatedAt: startedAt,
    })
  })

  test('201: the message goes to the phone of the contact and remembers whom it was for', async () => {
    const { status, json } = await gateway.send({ type: 'text', contactId, content: 'Hello' })
    expect(status).toBe(201)
    expect(sent().json.to).toBe('+390612345678')
    expect(await gateway.gateway.store.read.message(json.data.id)).toMatchObject({ contactId })
  })

  test('201: revalidateFlowSession is taken with a contact, true or false', async () => {
    for (const revalidateFlowSession of [true, false]) {
      const { status } = await gateway.send({ type: 'text', contactId, content: 'Hello', revalidateFlowSession })
      expect(status).toBe(201)
    }
  })

  test.each([newId('contact'), 'contact_1', '+390612345678', "' OR 1=1 --", 'a\0b'])(
    '404 NOT_FOUND: %p is no contact',
    async unknown => {
      const before = (await gateway.messages()).length
      const { status, json } = await gateway.send({ type: 'text', contactId: unknown, content: 'Hello' })
      expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
      expect((await gateway.messages()).length).toBe(before)
      expect(gateway.upstream.received).toEqual([])
    },
  )
})

describe('userId', () => {
  const contactId = newId('contact')
  const [phone, before, present, stranger] = ['+390687654321', 'US.1000', 'US.1001', 'US.1002']
  const bye = { type: 'text', content: 'Hello' }
  beforeAll(async () => {
    const [{ workspaceId }, at] = [gateway, startedAt]
    const contact = { phone, name: 'Grace', createdAt: at, updatedAt: at }
    await gateway.gateway.store.write.saveContact({ id: contactId, workspaceId, userId: before, ...contact })
    await hear({ kind: 'system', at, identityChange: { formerPhone: null, formerUserId: before } })
  })
  const hear = (fields: Partial<Inbound>) => {
    const from = { phone, userId: present, name: null, newContactId: newId('contact') }
    const told = {
      channelMessageId: `wamid.${newId('msg')}`,
      upstreamPhoneId: gateway.line.upstreamPhoneId,
      from,
      ...fields,
    }
    const batch = { channelId: gateway.channelId, messages: [inbound(told)], recordedAt: clock.now() }
    return gateway.gateway.store.write.recordInbound(batch)
  }

  test.each([
    ['201: to the user of a contact, although its number is known', present, present, contactId],
    ['201: one that the user has left stands for the present one', before, present, contactId],
    ['201: to a user nobody has heard of', stranger, stranger, null],
  ] as const)('%s', async (_, userId, to, contact) => {
    const key = `to-${userId}`
    const { status, json } = await gateway.send({ ...bye, userId, idempotencyKey: key })
    expect([status, json.data.to]).toEqual([201, { phone: null, contactId: contact, userId: to }])
    expect(sent().json).toMatchObject({ recipient: to })
    expect(sent().json).not.toHaveProperty('to')
    const replay = await gateway.send({ ...bye, userId, idempotencyKey: key })
    expect([replay.status, replay.json.data.id]).toEqual([200, json.data.id])
    const other = await gateway.send({ ...bye, phone, idempotencyKey: key })
    expect(other.json.error).toBe('IDEMPOTENCY_CONFLICT')
    expect(gateway.upstream.received).toHaveLength(1)
  })

  test('the window is that of the contact', async () => {
    const send = (userId: string) => gateway.send({ ...bye, userId, requireOpenWindow: true })
    expect((await send(present)).json.error).toBe('WINDOW_CLOSED')
    await hear({ at: clock.now() })
    expect([(await send(present)).status, (await send(before)).status]).toEqual([201, 201])
    expect((await send(stranger)).json.error).toBe('WINDOW_CLOSED')
  })

  test('201: a flow opens a session of the contact, and revalidateFlowSession closes it', async () => {
    const content = JSON.stringify(flow({ flow_token: 'token 1' }))
    expect((await gateway.send({ type: 'interactive', content, userId: present })).status).toBe(201)
    const open = async () =>
      (await gateway.gateway.store.read.flowSessions(contactId)).map(({ closedAt }) => closedAt === null)
    expect(await open()).toEqual([true])
    expect((await gateway.send({ ...bye, userId: present, revalidateFlowSession: true })).status).toBe(201)
    expect(await open()).toEqual([false])
  })
})

describe('201 QUEUED', () => {
  test('an answer that takes longer than SEND_WAIT_MS does not hold up the caller, and the work goes on', async () => {
    const gate = Promise.withResolvers<void>()
    gateway.upstream.answer = received => gate.promise.then(() => accept(received))
    const pending = clock.pending
    const sending = gateway.send(text)
    await eventually(() => expect([gateway.upstream.received.length, clock.pending > pending]).toEqual([1, true]))
    clock.advance(10_000)
    const { status, json } = await sending
    expect(status).toBe(201)
    expect(json.data).toMatchObject({ status: 'QUEUED', channelMessageId: null, sentAt: null, failureReason: null })
    gate.resolve()
    const path = `/api/v1/public/messages/${json.data.id}`
    await eventually(async () => expect((await gateway.get(path)).json.data.status).toBe('SENT'))
    expect(gateway.upstream.received.length).toBe(1)
  })
})
