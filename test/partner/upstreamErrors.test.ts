import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
beforeEach(() => {
  gateway.upstream.received.length = 0
})
afterEach(() => {
  gateway.upstream.answer = accept
})

/** Sends alone: a refusal that speaks of a template also has the listing read anew. */
const upstreamCalls = () => gateway.upstream.received.filter(({ path }) => path.endsWith('/messages')).length
/** A throttle that lifts at once: real waits have no place in a test. */
const liftsAtOnce = { 'retry-after': '0' }

function refusesWith(httpStatus: number, error: Record<string, unknown>, headers: Record<string, string> = {}) {
  gateway.upstream.answer = () => {
    const response = graphError(httpStatus, { message: `(#${error.code}) refused`, ...error })
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}

test('502: an access token that the upstream repeats is told to nobody and stored nowhere', async () => {
  gateway.upstream.answer = ({ headers }) =>
    graphError(400, { code: 190, message: `Malformed access token ${headers.get('authorization')?.slice(7)}` })
  const { status, text: told, json } = await gateway.send(text)
  expect([status, json.details.title]).toEqual([502, 'Malformed access token (hidden)'])
  const shown = await gateway.get(`/messages/${json.details.messageId}`)
  expect(told + shown.text + JSON.stringify(await gateway.messages())).not.toContain('access-token')
})

test('201: an upstream that compresses for whoever says nothing is told not to', async () => {
  gateway.upstream.answer = request =>
    request.headers.get('accept-encoding') === 'identity'
      ? accept(request)
      : new Response(gzipSync('{"messages":[{"id":"wamid.1"}]}'), { headers: { 'content-encoding': 'gzip' } })
  expect((await gateway.send(text)).status).toBe(201)
})

test('500 INTERNAL_ERROR: an access token that does not open sends nothing, and shows nothing of itself', async () => {
  const other = await startTestGateway()
  try {
    const { read, write } = other.gateway.store
    const channel = await read.channel(other.channelId)
    if (!channel) throw new Error('the channel is gone')
    // Sealed with another key, as after a restore without the right one.
    await write.connectChannel({ ...channel, sealedAccessToken: `${channel.sealedAccessToken.slice(0, -4)}AAAA` })
    const { status, json } = await other.send(text)
    expect([status, json]).toEqual([500, { error: 'INTERNAL_ERROR', message: expect.any(String) }])
    expect(other.upstream.received).toEqual([])
    expect(await other.messages()).toEqual([])
  } finally {
    await other.stop()
  }
})

describe('a refusal ends the send', () => {
  // name, HTTP of the upstream, its code, ours, retryable: one of each class, and what is known by the status alone
  const codes: readonly [name: string, http: number, code: number, ours: 400 | 502, retryable: boolean][] = [
    ['undeliverable', 400, 131026, 400, false],
    ['ecosystem health', 400, 131049, 400, false],
    ['token expired', 401, 190, 502, false],
    ['payment problem', 400, 131042, 502, false],
    ['account on hold', 400, 131064, 502, false],
    ['a vague error', 500, 131000, 502, true],
    ['an unknown code of 4xx', 400, 999_999, 400, false],
    ['an unknown code of 5xx', 503, 999_999, 502, true],
    ['a refusal in a 200', 200, 131026, 400, false],
  ]
  test.each(codes)('%s: HTTP %d with code %d is our %d CHANNEL_GRAPH_ERROR', async (_, http, code, ours, retryable) => {
    refusesWith(http, { code, error_subcode: 2494010, error_data: { messaging_product: 'whatsapp', details: 'Why.' } })
    const { status, json } = await gateway.send(text)
    expect(status).toBe(ours)
    const { messageId } = json.details
    const message = `(#${code}) refused`
    expect(json).toEqual({
      error: 'CHANNEL_GRAPH_ERROR',
      message: expect.any(String),
      details: { messageId, code, subcode: 2494010, title: message, details: 'Why.', traceId: 'trace-1', retryable },
    })
    expect(upstreamCalls()).toBe(1)
    const stored = await gateway.get(`/api/v1/public/messages/${messageId}`)
    expect(stored.status).toBe(200)
    const nothing = { channelMessageId: null, sentAt: null, deliveredAt: null, readAt: null }
    expect(stored.json.data).toMatchObject({ status: 'FAILED', failureReason: `${code}: Why.`, ...nothing })
  })

  test('the timeline keeps what the upstream said', async () => {
    refusesWith(400, { code: 131026 })
    const { json } = await gateway.send(text)
    const timeline = await gateway.gateway.store.read.timeline(json.details.messageId)
    expect(timeline.find(({ kind }) => kind === 'refused')?.detail).toMatchObject({ code: 131026, traceId: 'trace-1' })
  })
})

describe('a refusal that speaks of a template', () => {
  test.each([132001, 132015, 132016])('%d has the templates of its channel read anew', async code => {
    const other = await startTestGateway()
    try {
      other.upstream.answer = () => graphError(400, { code, message: 'Template' })
      expect((await other.send(text)).status).toBe(400)
      await eventually(() => expect(other.upstream.listings).toHaveLength(1))
      expect(other.upstream.listings[0]?.path).toContain('/100001/message_templates')
    } finally {
      await other.stop()
    }
  })
})

describe('a definite "not now" is tried again, and the caller sees only the end', () => {
  const notNow: readonly [name: string, http: number, error: Record<string, unknown>][] = [
    ['the throughput of the line', 400, { code: 130429 }],
    ['temporarily unavailable', 503, { code: 2 }],
    ['an unknown code that says it is transient', 500, { code: 999_999, is_transient: true }],
  ]
  test.each(notNow)('201: %s', async (_, http, error) => {
    gateway.upstream.answer = received => {
      if (upstreamCalls() > 1) return accept(received)
      const response = graphError(http, { message: 'not now', ...error })
      response.headers.set('retry-after', liftsAtOnce['retry-after'])
      return response
    }
    const { status, json } = await gateway.send(text)
    expect([status, json.data?.status]).toEqual([201, 'SENT'])
    expect(upstreamCalls()).toBe(2)
    const [first, second] = gateway.upstream.received
    expect(second?.text).toBe(first?.text ?? '')
  })

  test('502, retryable: three tries in all, then it is given up', async () => {
    refusesWith(503, { code: 2 }, liftsAtOnce)
    const { status, json } = await gateway.send({ ...text, idempotencyKey: 'retry' })
    expect(status).toBe(502)
    expect(json.details).toMatchObject({ code: 2, retryable: true })
    expect(upstreamCalls()).toBe(3)
    gateway.upstream.answer = accept
    expect((await gateway.send({ ...text, idempotencyKey: 'retry' })).status).toBe(201)
  })

  test('201: a refusal without a named time is repeated after a short wait of our own', async () => {
    gateway.upstream.answer = received =>
      upstreamCalls() > 1 ? accept(received) : graphError(503, { code: 2, message: 'not now' })
    expect((await gateway.send(text)).status).toBe(201)
    expect(upstreamCalls()).toBe(2)
  })
})
