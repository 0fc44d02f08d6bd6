import { beforeEach, describe, expect, test } from 'bun:test'
import type { Refusal } from '../../src/base/errors.ts'
import { RequestLog } from '../../src/http/requestLog.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { failure, report, second, status } from '../callbacks/report.ts'
import { ManualClock } from '../clock.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'

interface Line {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** A log that keeps its lines. */
function recorder(hasDebug = false) {
  const lines: Line[] = []
  const keep = (level: string) => (fields: object, message: string) => lines.push({ ...fields, level, message })
  const levels = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
  const log: Logger = Object.assign(Object.create(silentLogger), levels, { isLevelEnabled: () => hasDebug })
  return { lines, log }
}

/** A gateway for the tests of a block, and what it logs in each. */
function recordedGateway() {
  const { lines, log } = recorder()
  const gateway = sharedFixture(() => startTestGateway({ log }))
  beforeEach(() => {
    lines.length = 0
  })
  return { lines, gateway }
}

const requestsOf = (lines: readonly Line[]) => lines.filter(({ message }) => message.startsWith('request '))
const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

describe('one line for each refused request', () => {
  const { lines, gateway } = recordedGateway()

  test('path, status, reason, time, key and request; nothing of what was sent', async () => {
    await gateway.send({ ...text, tempate: 'secret' }, { 'x-request-id': 'order-1' })
    expect(requestsOf(lines)).toEqual([
      {
        level: 'info',
        message: 'request refused',
        requestId: 'order-1',
        method: 'POST',
        path: '/api/v1/public/messages/send',
        status: 400,
        reason: 'VALIDATION_ERROR',
        why: 'The request is malformed. /tempate: is not a known field',
        ms: expect.any(Number),
        keyId: gateway.key.apiKey,
        messageId: undefined,
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/15112345678|Hello|sk_/)
  })

  test('the message that the upstream refused', async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'no' })
    const { json } = await gateway.send(text)
    const { messageId } = json.details
    expect(requestsOf(lines)).toMatchObject([{ level: 'info', status: 400, reason: 'CHANNEL_GRAPH_ERROR', messageId }])
  })

  test('without a key, without its query, and for what is no route', async () => {
    await fetch(`${gateway.url}/api/v1/public/templates?name=secret`)
    await fetch(`${gateway.url}/nowhere?token=secret`)
    const expected = [
      { status: 401, path: '/api/v1/public/templates', keyId: undefined },
      { status: 404, path: '/nowhere' },
    ]
    expect(requestsOf(lines)).toMatchObject(expected)
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  test('an unsigned callback and a wrong verification are warned of', async () => {
    const path = `/callbacks/channel/${gateway.channelId}`
    await fetch(gateway.url + path, { method: 'POST', body: '{}' })
    await fetch(`${gateway.url + path}?hub.mode=subscribe&hub.verify_token=secret&hub.challenge=1`)
    expect(requestsOf(lines)).toMatchObject([
      { level: 'warn', status: 401, path, why: 'The signature is missing or wrong.' },
      { level: 'warn', status: 403, path },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })
})

test('the first 429 of a window has its line, and no other', async () => {
  const { lines, log } = recorder()
  // The window does not end between two requests: the clock stands still.
  const clock = new ManualClock(Date.now())
  const gateway = await startTestGateway({ log, clock, env: { PUBLIC_API_KEY_RATE_LIMIT: '20' } })
  try {
    for (let at = 0; at < 30; at += 1) await gateway.get('/api/v1/public/templates')
    expect(requestsOf(lines)).toMatchObject([{ status: 429, reason: 'RATE_LIMIT_EXCEEDED' }])
  } finally {
    await gateway.stop()
  }
})

describe('one line for each message that did not get through', () => {
  const { lines, gateway } = recordedGateway()
  const endsOf = () => lines.filter(({ message }) => message.startsWith('message '))

  test("refused: with the upstream's code", async () => {
    gateway.upstream.answer = () => graphError(400, { code: 131026, message: 'no', fbtrace_id: 'T1' })
    const { json } = await gateway.send(text)
    const { messageId } = json.details
    const line = { level: 'warn', message: 'message failed', messageId, status: 'FAILED', code: 131026, traceId: 'T1' }
    expect(endsOf()).toMatchObject([line])
  })

  test('lost', async () => {
    gateway.upstream.answer = () => new Response('<html>')
    const { json } = await gateway.send(text)
    expect(endsOf()).toMatchObject([{ level: 'warn', messageId: json.data.id, status: 'UNKNOWN' }])
  })

  test('failed after it was accepted', async () => {
    gateway.upstream.answer = accept
    const { json } = await gateway.send(text)
    const { channelMessageId } = json.data
    await report(gateway, status(channelMessageId, 'failed', second, { errors: [failure] }))
    expect(endsOf()).toMatchObject([
      { level: 'warn', message: 'message failed after it was accepted', channelMessageId },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/15112345678|Hello/)
  })
})

test("the caller's own request id is kept with its message", async () => {
  const gateway = await startTestGateway()
  try {
    await gateway.send(text, { 'x-request-id': 'order-1001' })
    await gateway.send(text)
    await gateway.send(text, { 'x-request-id': 'not harmless' })
    expect((await gateway.messages()).map(({ requestId }) => requestId)).toEqual([null, null, 'order-1001'])
  } finally {
    await gateway.stop()
  }
})

test('debug tells of every request', async () => {
  const { lines, log } = recorder(true)
  const gateway = await startTestGateway({ log })
  try {
    const { json } = await gateway.send(text)
    const messageId = json.data.id
    await gateway.get(`/api/v1/public/messages/${messageId}`)
    expect(requestsOf(lines)).toMatchObject([
      { level: 'debug', message: 'request answered', status: 201, messageId, keyId: gateway.key.apiKey },
      { level: 'debug', message: 'request answered', status: 200, messageId },
    ])
  } finally {
    await gateway.stop()
  }
})

describe('what strangers cause is bounded', () => {
  const request = new Request('http://localhost/nowhere')
  const notFound: Refusal = { reason: 'NOT_FOUND', message: 'No such route.' }
  const unavailable: Refusal = { reason: 'SERVICE_UNAVAILABLE', message: 'The disk is full.' }

  test('60 lines a minute; the next one says how many were left out', () => {
    const { lines, log } = recorder()
    const clock = new ManualClock()
    const requests = new RequestLog(log, clock)
    for (let at = 0; at < 1_000; at += 1) requests.refused(request, notFound, { requestId: 'a' }, 'stranger')
    expect(lines.length).toBe(60)
    requests.refused(request, notFound, { requestId: 'a' }, 'callback')
    requests.refused(request, notFound, { requestId: 'a' }, 'caller')
    expect(lines.length).toBe(62)
    clock.advance(60_000)
    requests.refused(request, notFound, { requestId: 'b' }, 'stranger')
    expect(lines.at(-1)).toMatchObject({ requestId: 'b', leftOut: 940 })
  })

  test('a 503 that repeats is counted, whoever is refused', () => {
    const { lines, log } = recorder()
    const clock = new ManualClock()
    const requests = new RequestLog(log, clock)
    for (let at = 0; at < 50; at += 1) requests.refused(request, unavailable, { requestId: 'a' }, 'caller')
    expect(lines).toMatchObject([{ level: 'warn', status: 503, why: 'The disk is full.' }])
    clock.advance(60_000)
    requests.refused(request, unavailable, { requestId: 'b' }, 'caller')
    expect(lines.at(-1)).toMatchObject({ leftOut: 49 })
  })

  test('a path is cut', () => {
    const { lines, log } = recorder()
    const long = new Request(`http://localhost/${'x'.repeat(4_000)}`)
    new RequestLog(log, new ManualClock()).refused(long, notFound, { requestId: 'a' }, 'stranger')
    expect(String(lines[0]?.path).length).toBe(200)
  })
})
