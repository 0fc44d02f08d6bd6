import { beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { sharedFixture } from '../fixture.ts'
import { orderTemplate, startTestGateway } from '../gateway.ts'
import { leaks } from '../partner/refusals.ts'
import { expectEnvelope, phone } from './errorEnvelope.ts'

const sendPath = '/api/v1/public/messages/send'
const text = { type: 'text', phone, content: 'Hello' }
const template = { type: 'template', phone, templateName: 'order_confirmation' }

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(orderTemplate))

const request = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, { ...init, headers: { ...gateway.key, ...init.headers } })
const post = (body: unknown, headers: Record<string, string> = {}) =>
  request(sendPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** One refusal of each code and reason of the partner API: test/partner/docs/refusals.test.ts. */
const rows: readonly [expected: string, name: string, ask: () => Promise<Response>][] = [
  ['400 VALIDATION_ERROR', 'unreadable', () => post('{')],
  ['400 VALIDATION_ERROR', 'empty', () => post('')],
  ['400 VALIDATION_ERROR', 'a missing variable', () => post({ ...template, templateVariables: { 1: 'Ada' } })],
  ['400 VALIDATION_ERROR', 'a filter twice', () => request('/api/v1/public/templates?name=x&name=y')],
  ['401 UNAUTHORIZED', 'no key', () => fetch(`${gateway.url}/api/v1/public/templates`)],
  ['401 UNAUTHORIZED', 'a callback', () => request(`/callbacks/channel/${gateway.channelId}`, { method: 'POST' })],
  ['404 NOT_FOUND', 'a message id of rubbish', () => request('/api/v1/public/messages/%00%ff%zz')],
  ['404 NOT_FOUND', 'a long message id', () => request(`/api/v1/public/messages/${'x'.repeat(4_000)}`)],
  ['404 NOT_FOUND', 'a partner route', () => request('/api/v1/public/nowhere')],
  ['404 NOT_FOUND', 'a message of a user', () => request('/api/v1/public/inbound/inb_0')],
  ['400 VALIDATION_ERROR', 'a cursor', () => request('/api/v1/public/inbound?after=inb_0')],
  ['400 VALIDATION_ERROR', 'a number', () => request('/api/v1/public/contacts?phone=0')],
  ['404 NOT_FOUND', 'a route', () => request('/nowhere')],
  ['404 NOT_FOUND', 'the root', () => request('/')],
  ['404 NOT_FOUND', 'a channel', () => request(`/callbacks/channel/${newId('chan')}`)],
  ['404 NOT_FOUND', 'a method of the send route', () => request(sendPath, { method: 'DELETE' })],
  ['404 NOT_FOUND', 'a method of the list', () => request('/api/v1/public/templates', { method: 'PUT' })],
  ['404 NOT_FOUND', 'a method of the health check', () => request('/livez', { method: 'POST' })],
]

test.each(rows)('%s: %s', async (expected, _, ask) => {
  const response = await ask()
  const body = await response.text()
  expect(`${response.status} ${JSON.parse(body).error}`).toBe(expected)
  expectEnvelope({ headers: response.headers, text: body }, response.status === 400)
})

test('no id of ours is taken for our insides, and what they say is', () => {
  const ids = ['msg_01jd4v7m9xf5ks0wnanq2s8vyz', 'ws_01jd4v7m9xstackf5ksq2s8vyz', 'msg_nan00000000000000000stack']
  for (const id of ids) expect(`{"id":"${id}"}`).not.toMatch(leaks)
  for (const told of ['{"at":NaN}', 'at most NaN', '"stack":"', 'undefined', 'SQLITE_BUSY']) expect(told).toMatch(leaks)
})

describe('what is thrown past every handler', () => {
  const logged: unknown[] = []
  /** It fails where a defect is answered, and where that is handled; no other way past the handlers is known. */
  const log: Logger = Object.assign(Object.create(silentLogger), {
    error(entry: unknown) {
      if (logged.push(entry) <= 2) throw new Error('no log')
    },
  })
  const defective = sharedFixture(() => startTestGateway({ log }))
  beforeAll(() => defective.addTemplates({ name: 'broken', components: '{' }))

  test('500 INTERNAL_ERROR: is logged under the id that the caller gets, who sees nothing of our insides', async () => {
    const answer = await defective.send({ ...template, templateName: 'broken', templateVariables: {} })
    expect([answer.status, answer.json]).toEqual([500, { error: 'INTERNAL_ERROR', message: expect.any(String) }])
    expect(answer.text).not.toMatch(leaks)
    expect(answer.text).not.toContain('no log')
    expect(logged.at(-1)).toMatchObject({ requestId: answer.headers.get('x-request-id'), err: expect.any(Error) })
  })
})

describe('Cache-Control', () => {
  test('no answer with data may be kept: a cache in between would give it to the next caller, of any key', async () => {
    const sent = await post(text)
    const { data } = (await sent.clone().json()) as { data: { id: string } }
    const answers = [
      sent,
      await request(`/api/v1/public/messages/${data.id}`),
      await request('/api/v1/public/templates?name=order_confirmation'),
    ]
    expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      [201, 'no-store'],
      [200, 'no-store'],
      [200, 'no-store'],
    ])
  })
})

describe('X-Request-Id', () => {
  const paths = ['/api/v1/public/templates', '/nowhere', '/livez', '/api/v1/public/messages/msg_0']
  const idOf = async (path: string, given?: string) =>
    (await request(path, given === undefined ? {} : { headers: { 'x-request-id': given } })).headers.get('x-request-id')

  test('every answer has one of its own', async () => {
    const ids = await Promise.all([...paths, ...paths].map(path => idOf(path)))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
  })

  test.each(['a', 'order-1001', '01890a5d-ac96-774b-bcce-b302099a8057', 'A.b_c-9', 'x'.repeat(128)])(
    'the caller keeps %p',
    async given => {
      for (const path of paths) expect(await idOf(path, given)).toBe(given)
    },
  )

  test.each(['', 'a b', 'x'.repeat(129), 'a/b', '<script>', 'a,b', 'a;b', 'é', '$', 'a"b'])(
    '%p is replaced',
    async given => {
      const id = await idOf('/livez', given)
      expect(id).not.toBe(given)
      expect(id).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
    },
  )
})
