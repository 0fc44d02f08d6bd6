import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Template } from '../../db/records.ts'
import { PARTNER_ERRORS, type PartnerReason } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { getMedia, keepFiles, lastMedia, picture, userSends } from '../files/user.ts'
import { type Answer, orderTemplate, startTestGateway, type TestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { graphError, startUpstream, type Upstream } from '../upstream.ts'

setDefaultTimeout(hungAfterMs)

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
const order = {
  type: 'template',
  phone: '+4915112345678',
  templateName: 'order_confirmation',
  templateVariables: { '1': 'Ada', '2': '1001' },
}

let upstream: Upstream
let gateway: TestGateway
async function start(env: Record<string, string> = {}) {
  gateway = await startTestGateway({ upstream, env })
}
beforeEach(() => {
  upstream = startUpstream()
})
afterEach(async () => {
  await gateway.stop()
  await upstream.stop()
})

const reached = new Set<PartnerReason>()
/** The contract's error body and nothing else; the status is one that the table lists for the code. */
function expectError(answer: Answer, status: number, reason: PartnerReason, details?: unknown): void {
  expect([answer.status, answer.json?.error]).toEqual([status, reason])
  expect(PARTNER_ERRORS[reason].status as readonly number[]).toContain(status)
  expect(answer.headers.get('content-type')).toStartWith('application/json')
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  expect(Object.keys(answer.json).filter(key => !['error', 'message', 'details'].includes(key))).toEqual([])
  expect(answer.json.message).toMatch(/\S/)
  expect(answer.json.details).toEqual(details)
  for (const internal of ['stack', 'sqlite', 'node_modules', '.ts:', text.phone, text.content]) {
    expect(answer.text).not.toContain(internal)
  }
  reached.add(reason)
}
/** Nothing was sent, and no message exists. */
async function expectNothing(): Promise<void> {
  expect(upstream.received).toEqual([])
  expect(await gateway.messages()).toEqual([])
}

test('400 VALIDATION_ERROR: every problem is named, and nothing was accepted', async () => {
  await start()
  const answer = await gateway.send({ type: 'text', contactId: 'a', phone: 'x', tempate: 1 })
  expectError(answer, 400, 'VALIDATION_ERROR', {
    issues: expect.arrayContaining(
      ['/tempate', '/content', '/phone', '/contactId'].map(path => ({ path, message: expect.any(String) })),
    ),
  })
  await expectNothing()
})

test('400 PHONE_NUMBER_REQUIRED: several active lines and no phoneNumberId', async () => {
  await start()
  const second = await gateway.addLine()
  const phoneNumberIds = expect.arrayContaining([gateway.line.id, second.id])
  expectError(await gateway.send(text), 400, 'PHONE_NUMBER_REQUIRED', { phoneNumberIds })
  await expectNothing()
})

test("400 PHONE_NUMBER_NOT_FOUND: neither another workspace's line nor the upstream's own id is one", async () => {
  await start()
  const other = await gateway.addWorkspace()
  const answers = await Promise.all(
    [newId('line'), other.line.id, gateway.line.upstreamPhoneId].map(phoneNumberId =>
      gateway.send({ ...text, phoneNumberId }),
    ),
  )
  for (const answer of answers) {
    expectError(answer, 400, 'PHONE_NUMBER_NOT_FOUND')
    expect(answer.text).toBe(answers[0]?.text ?? '')
  }
  await expectNothing()
})

test('400 PHONE_NUMBER_INACTIVE: the named line is inactive', async () => {
  await start()
  const { id } = await gateway.addLine({ active: false })
  expectError(await gateway.send({ ...text, phoneNumberId: id }), 400, 'PHONE_NUMBER_INACTIVE')
  await expectNothing()
})

test('400 NO_PHONE_NUMBER: the workspace has no active line', async () => {
  await start()
  await gateway.gateway.store.write.changeLine({ lineId: gateway.line.id, active: false })
  expectError(await gateway.send(text), 400, 'NO_PHONE_NUMBER')
  await expectNothing()
})

test('400 TEMPLATE_NOT_APPROVED: the template exists and is not approved', async () => {
  await start()
  await gateway.addTemplates({ ...orderTemplate, status: 'PENDING' })
  expectError(await gateway.send(order), 400, 'TEMPLATE_NOT_APPROVED', { status: 'PENDING' })
  await expectNothing()
})

test('401 UNAUTHORIZED: credentials that are missing, invalid or revoked look the same', async () => {
  await start()
  const revoked = await gateway.createKey()
  await gateway.gateway.store.write.revokeKey({ keyId: revoked.apiKey, at: Date.now() })
  const answers = [
    await gateway.send(text, { apiKey: '', apiSecret: '' }),
    await gateway.send(text, { apiSecret: 'sk_wrong' }),
    await gateway.send(text, { ...revoked }),
  ]
  for (const answer of answers) {
    expectError(answer, 401, 'UNAUTHORIZED')
    expect(answer.text).toBe(answers[0]?.text ?? '')
  }
  await expectNothing()
})

test('402 PLAN_LIMIT_EXCEEDED: the month is used up', async () => {
  await start()
  await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 1 })
  expect((await gateway.send(text)).status).toBe(201)
  const now = new Date()
  const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
  expectError(await gateway.send(text), 402, 'PLAN_LIMIT_EXCEEDED', { limit: 1, used: 1, resetsAt })
  expect(upstream.received).toHaveLength(1)
})

test('404 NOT_FOUND: message, contact, template and route', async () => {
  await start()
  const other = await gateway.addWorkspace()
  const contact = await gateway.gateway.store.write.saveContact({
    id: newId('contact'),
    workspaceId: other.workspaceId,
    phone: '+4915112345678',
    userId: null,
    name: null,
    createdAt: 1,
    updatedAt: 1,
  })
  expectError(await gateway.get(`/api/v1/public/messages/${newId('msg')}`), 404, 'NOT_FOUND')
  expectError(await gateway.send({ ...text, phone: undefined, contactId: newId('contact') }), 404, 'NOT_FOUND')
  expectError(await gateway.send({ ...text, phone: undefined, contactId: contact?.id }), 404, 'NOT_FOUND')
  expectError(await gateway.send(order), 404, 'NOT_FOUND')
  expectError(await gateway.get('/api/v1/public/nothing'), 404, 'NOT_FOUND')
  await gateway.addTemplates(orderTemplate as Template)
  const languages = { languages: ['en_US'] }
  expectError(await gateway.send({ ...order, templateLanguage: 'fr' }), 404, 'NOT_FOUND', languages)
  await expectNothing()
})

test('409 IDEMPOTENCY_CONFLICT: the same key with another body', async () => {
  await start()
  expect((await gateway.send({ ...text, idempotencyKey: 'key-1' })).status).toBe(201)
  const answer = await gateway.send({ ...text, content: 'Another', idempotencyKey: 'key-1' })
  expectError(answer, 409, 'IDEMPOTENCY_CONFLICT')
  expect(upstream.received).toHaveLength(1)
})

test('413 PAYLOAD_TOO_LARGE: a body over 128 KiB', async () => {
  await start()
  const answer = await gateway.send({ ...text, content: 'x'.repeat(1_048_576) }, { connection: 'close' })
  expectError(answer, 413, 'PAYLOAD_TOO_LARGE')
  await expectNothing()
})

test('415 UNSUPPORTED_MEDIA_TYPE: a body that is not declared as JSON', async () => {
  await start()
  expectError(await gateway.send(text, { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  await expectNothing()
})

test('429 RATE_LIMIT_EXCEEDED: over the limit of the key, and over the limit of the address', async () => {
  for (const setting of ['PUBLIC_API_KEY_RATE_LIMIT', 'PUBLIC_IP_RATE_LIMIT']) {
    await start({ [setting]: '1' })
    expect((await gateway.get('/api/v1/public/templates')).status).toBe(200)
    const answer = await gateway.get('/api/v1/public/templates')
    expectError(answer, 429, 'RATE_LIMIT_EXCEEDED')
    const retryAfter = Number(answer.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(900)
    expect(answer.headers.get('ratelimit-remaining')).toBe('0')
    if (setting === 'PUBLIC_API_KEY_RATE_LIMIT') await gateway.stop()
  }
})

const upstreamDetails = (fields: object) => ({
  messageId: expect.stringMatching(/^msg_/),
  code: null,
  subcode: null,
  title: expect.any(String),
  details: null,
  traceId: 'trace-1',
  retryable: false,
  ...fields,
})

test('400 CHANNEL_GRAPH_ERROR: the upstream refuses the request', async () => {
  await start()
  upstream.answer = () =>
    graphError(400, {
      code: 131026,
      message: '(#131026) Message undeliverable',
      error_data: { messaging_product: 'whatsapp', details: 'Unable to deliver the message.' },
    })
  const answer = await gateway.send(text)
  const details = { code: 131026, title: '(#131026) Message undeliverable', details: 'Unable to deliver the message.' }
  expectError(answer, 400, 'CHANNEL_GRAPH_ERROR', upstreamDetails(details))
  const stored = await gateway.get(`/api/v1/public/messages/${answer.json.details.messageId}`)
  expect(stored.json.data).toMatchObject({ status: 'FAILED', failureReason: '131026: Unable to deliver the message.' })
})

test('502 CHANNEL_GRAPH_ERROR: the upstream or its credentials are at fault', async () => {
  await start()
  upstream.answer = () => graphError(401, { code: 190, error_subcode: 463, message: 'Session has expired' })
  const details = { code: 190, subcode: 463, title: 'Session has expired' }
  expectError(await gateway.send(text), 502, 'CHANNEL_GRAPH_ERROR', upstreamDetails(details))
})

test('an answer that was lost is no error: 201 UNKNOWN', async () => {
  await start()
  upstream.answer = () => new Response('<html>Bad gateway</html>', { status: 502 })
  const answer = await gateway.send(text)
  expect(answer.status).toBe(201)
  expect(answer.json.data).toMatchObject({ status: 'UNKNOWN', channelMessageId: null, idempotentReplay: false })
  expect(await gateway.messages()).toMatchObject([{ status: 'UNKNOWN' }])
  expect(upstream.received).toHaveLength(1)
})

test('416 RANGE_NOT_SATISFIABLE: behind the end of a file', async () => {
  await start()
  await userSends(gateway, { bytes: picture(1_000) })
  await keepFiles(gateway)
  const { id } = await lastMedia(gateway)
  const response = await getMedia(gateway, id, { range: 'bytes=1000-' })
  const body = await response.text()
  const answer = { status: response.status, headers: response.headers, text: body, json: JSON.parse(body) }
  expectError(answer, 416, 'RANGE_NOT_SATISFIABLE', { size: 1_000 })
})

test('500 INTERNAL_ERROR: a defect of ours shows nothing of itself', async () => {
  await start()
  const { store } = gateway.gateway
  const channel = await store.read.channel(gateway.channelId)
  if (!channel) throw new Error('the channel is gone')
  // Sealed with another key, as after a restore without the right one.
  await store.write.connectChannel({ ...channel, sealedAccessToken: `${channel.sealedAccessToken.slice(0, -4)}AAAA` })
  expectError(await gateway.send(text), 500, 'INTERNAL_ERROR')
  await expectNothing()
})

test('503 SERVICE_UNAVAILABLE: the queue is full', async () => {
  await start({ SEND_QUEUE_MAX: '1', CHANNEL_TIMEOUT_MS: '5000' })
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  upstream.answer = async () => {
    arrived.resolve()
    await gate.promise
    return Response.json({ messages: [{ id: 'wamid.slow' }] })
  }
  const first = gateway.send(text)
  await arrived.promise
  const answer = await gateway.send(text)
  expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  gate.resolve()
  expect((await first).status).toBe(201)
  expect(await gateway.messages()).toHaveLength(1)
  expect((await gateway.send(text)).status).toBe(201)
})

/** Runs last whatever the order of the tests: a code without a request that meets it is a promise nobody keeps. */
afterAll(() => {
  expect([...reached].sort()).toEqual((Object.keys(PARTNER_ERRORS) as PartnerReason[]).sort())
})
