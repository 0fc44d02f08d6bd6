import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import { dayMs } from '../../src/base/durations.ts'
import { numberedId } from '../../src/base/ids.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { ManualClock } from '../clock.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { type Answer, startTestGateway, type Tenant, type TestGateway } from '../gateway.ts'
import { graphError } from '../upstream.ts'
import { phone } from './inboundMessages.ts'

const now = Date.now()
let gateway: TestGateway
let other: Tenant
let logged: unknown[]
/** The messages of users, by what is to be known of them. */
let ids: Record<
  'fresh' | 'old' | 'almostOld' | 'future' | 'nameless' | 'onRemovedLine' | 'onInactiveLine' | 'foreign',
  string
>

const marked = () => Response.json({ success: true })

beforeAll(async () => {
  logged = []
  const note = (...entry: unknown[]) => void logged.push(entry)
  gateway = await startTestGateway({
    clock: new ManualClock(now),
    log: Object.assign(Object.create(silentLogger), { debug: note, info: note, warn: note, error: note }),
  })
  other = await gateway.addWorkspace()
  const { write } = gateway.gateway.store
  const inactive = await gateway.addLine({ upstreamPhoneId: '71' })
  const removed = await gateway.addLine({ upstreamPhoneId: '72' })
  const user = { phone, userId: null, name: 'Ada', newContactId: 'contact_ada' }
  const receive = async (
    { channelId, line, workspaceId }: Pick<Tenant, 'channelId' | 'workspaceId'> & { line: Line },
    id: string,
    at = now,
    recordedAt = at,
  ) => {
    const { upstreamPhoneId } = line
    const from = { ...user, newContactId: `contact_${workspaceId}` }
    const messages = [inbound({ channelMessageId: id, from, at, upstreamPhoneId })]
    await write.recordInbound({ channelId, messages, recordedAt })
    const all = await gateway.gateway.store.read.inboundMessages({ workspaceId, after: 0, limit: 100, scan: 100 })
    return numberedId(
      'inb',
      workspaceId,
      all.messages.find(({ channelMessageId }) => channelMessageId === id)?.seq ?? 0,
    )
  }
  const { channelId, workspaceId, line } = gateway
  const here = { channelId, workspaceId, line }
  ids = {
    fresh: await receive(here, 'wamid.fresh'),
    old: await receive(here, 'wamid.old', now - 30 * dayMs - 1),
    almostOld: await receive(here, 'wamid.almost', now - 30 * dayMs),
    future: await receive(here, 'wamid.future', now + 365 * dayMs, now - 31 * dayMs),
    nameless: await receive(here, `sha256:${'0'.repeat(64)}`),
    onRemovedLine: await receive({ ...here, line: removed }, 'wamid.removed'),
    onInactiveLine: await receive({ ...here, line: inactive }, 'wamid.inactive'),
    foreign: await receive(other, 'wamid.foreign'),
  }
  await write.removeLine({ lineId: removed.id, at: now })
  await write.changeLine({ lineId: inactive.id, active: false })
})
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = marked
})
afterEach(() => {
  gateway.upstream.answer = marked
})
afterAll(() => gateway.stop())

async function read(id: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/v1/public/inbound/${id}/read`, {
    method: 'POST',
    headers: { ...gateway.key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
}
const said = ({ status, json }: Answer) => `${status} ${json.error}`

describe('200: the upstream has marked it', () => {
  const plain = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.fresh' }
  const typed = { ...plain, typing_indicator: { type: 'text' } }
  test.each<[what: string, body: unknown, typing: boolean, asked: Record<string, unknown>]>([
    ['without a body', undefined, false, plain],
    ['with an empty object', {}, false, plain],
    ['with typing', { typing: true }, true, typed],
    ['without typing', { typing: false }, false, plain],
    ['with null in the place of typing', { typing: null }, false, plain],
  ])('%s', async (_, body, typing, asked) => {
    const { status, json } = await read(ids.fresh, body)
    expect([status, json]).toEqual([200, { success: true, data: { id: ids.fresh, read: true, typing } }])
    const requests = gateway.upstream.received
    expect(requests.map(({ method, path, json }) => [method, path, json])).toEqual([
      ['POST', `/v25.0/${gateway.line.upstreamPhoneId}/messages`, asked],
    ])
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer access-token')
  })

  test('as often as it is asked for, and 30 days long', async () => {
    for (const id of [ids.fresh, ids.fresh, ids.almostOld]) expect((await read(id)).status).toBe(200)
    expect(gateway.upstream.received).toHaveLength(3)
  })
})

describe('nothing is asked of the upstream', () => {
  afterEach(() => expect(gateway.upstream.received).toEqual([]))

  test('400 VALIDATION_ERROR: a message that is older than 30 days, or has no id of the upstream', async () => {
    const why = async (id: string) => (await read(id)).json.details.issues
    const old = [
      {
        path: '/inboundId',
        message: 'is a message of more than 30 days ago: the upstream platform marks none of them',
      },
    ]
    expect([await why(ids.old), await why(ids.future)]).toEqual([old, old])
    expect(await why(ids.nameless)).toEqual([
      {
        path: '/inboundId',
        message: 'is a message without an id of the upstream platform: it had none, or was erased',
      },
    ])
  })

  test('400: its line was removed, or is inactive', async () => {
    expect(said(await read(ids.onRemovedLine))).toBe('400 PHONE_NUMBER_NOT_FOUND')
    expect(said(await read(ids.onInactiveLine))).toBe('400 PHONE_NUMBER_INACTIVE')
  })

  test('404 NOT_FOUND: unknown ids, and a message of another workspace, are answered alike', async () => {
    const unknown = await read('inb_1')
    expect(unknown.json).toEqual({ error: 'NOT_FOUND', message: 'No message of a user has this id.' })
    for (const id of [ids.foreign, 'wamid.fresh', '%00', '%E0%A4%A', 'x'.repeat(2_000)]) {
      const { status, text } = await read(id)
      expect([id.slice(0, 40), status, text]).toEqual([id.slice(0, 40), 404, unknown.text])
    }
  })

  test.each<[what: string, body: string, paths: string[]]>([
    ['a text', '"x"', ['']],
    ['a list', '[]', ['']],
    ['null', 'null', ['']],
    ['no JSON', '{typing}', ['']],
    ['another type', '{"typing":"true"}', ['/typing']],
    ['a number', '{"typing":1}', ['/typing']],
    ['an unknown field', '{"typing":true,"typig":null}', ['/typig']],
    ['a name of the language itself', '{"__proto__":{"typing":true}}', ['/__proto__']],
  ])('400 VALIDATION_ERROR: %s', async (_, body, paths) => {
    const { status, json } = await read(ids.fresh, body)
    expect([status, json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.details.issues.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  test('415, 413, 401: not JSON, too large, without a key', async () => {
    expect(said(await read(ids.fresh, '{}', { 'content-type': 'text/plain' }))).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    expect(said(await read(ids.fresh, `"${'x'.repeat(140_000)}"`))).toBe('413 PAYLOAD_TOO_LARGE')
    expect(said(await read(ids.fresh, {}, { apiSecret: 'sk_wrong' }))).toBe('401 UNAUTHORIZED')
  })
})

describe('CHANNEL_GRAPH_ERROR', () => {
  const details = { messageId: expect.stringMatching(/^inb_/), subcode: null, details: null }
  test.each<[what: string, answer: () => Response, status: number, message: string, details: object]>([
    [
      'the message is at fault',
      () => graphError(400, { code: 131009, message: 'Parameter value is not valid' }),
      400,
      'The message was not marked as read: 131009: Parameter value is not valid',
      { code: 131009, title: 'Parameter value is not valid', traceId: 'trace-1', retryable: false },
    ],
    [
      'the token is at fault',
      () => graphError(401, { code: 190, message: 'Expired' }),
      502,
      'The message was not marked as read: 190: Expired',
      { code: 190, title: 'Expired', traceId: 'trace-1', retryable: false },
    ],
    [
      'no answer that can be read',
      () => new Response('<html>', { status: 502 }),
      502,
      'The message was not marked as read: The upstream platform gave no answer',
      { code: null, title: 'The upstream platform gave no answer', traceId: null, retryable: true },
    ],
  ])('%s', async (_, answer, status, message, shown) => {
    gateway.upstream.answer = answer
    const { json, ...got } = await read(ids.fresh)
    expect([got.status, json]).toEqual([
      status,
      { error: 'CHANNEL_GRAPH_ERROR', message, details: { ...details, ...shown } },
    ])
    expect(gateway.upstream.received).toHaveLength(1)
  })

  test('a token that is refused is told to the operator, without the token or the number', async () => {
    logged.length = 0
    gateway.upstream.answer = () => graphError(401, { code: 190, message: 'Bad access-token' })
    await read(ids.fresh)
    const lines = JSON.stringify(logged)
    expect(lines).toContain('action needed')
    for (const secret of ['access-token', phone, 'hello']) expect(lines).not.toContain(secret)
  })
})

test('503 SERVICE_UNAVAILABLE: a workspace waits for ten marks at once, and others go on', async () => {
  const gate = Promise.withResolvers<void>()
  gateway.upstream.answer = () => gate.promise.then(marked)
  const waiting = Array.from({ length: 10 }, () => read(ids.fresh))
  await eventually(() => expect(gateway.upstream.received).toHaveLength(10))
  const refused = await read(ids.fresh)
  expect([said(refused), refused.headers.get('retry-after')]).toEqual(['503 SERVICE_UNAVAILABLE', '5'])
  const others = read(ids.foreign, undefined, { ...other.key })
  await eventually(() => expect(gateway.upstream.received).toHaveLength(11))
  gate.resolve()
  expect((await Promise.all([...waiting, others])).map(({ status }) => status)).toEqual(Array(11).fill(200))
  expect((await read(ids.fresh)).status).toBe(200)
})
