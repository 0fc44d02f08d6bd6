import { beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/ids.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { sharedFixture } from '../fixture.ts'
import { orderTemplate, startTestGateway } from '../gateway.ts'
import { leaks } from '../partner/refusals.ts'
import { accept, graphError } from '../upstream.ts'

const sendPath = '/api/v1/public/messages/send'
const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
const template = { type: 'template', phone: text.phone, templateName: 'order_confirmation' }

const gateway = sharedFixture(startTestGateway)
beforeAll(() =>
  gateway.addTemplates(orderTemplate, { name: 'pending', status: 'PENDING' }, { name: 'broken', components: '{' }),
)

const request = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, { ...init, headers: { ...gateway.key, ...init.headers } })
const post = (body: unknown, headers: Record<string, string> = {}) =>
  request(sendPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

type Row = readonly [expected: string, name: string, hasDetails: boolean, ask: () => Promise<Response>]
const rows: readonly Row[] = [
  ['400 VALIDATION_ERROR', 'unreadable', true, () => post('{')],
  ['400 VALIDATION_ERROR', 'empty', true, () => post('')],
  ['400 VALIDATION_ERROR', 'a bad field', true, () => post({ ...text, tempate: 1 })],
  ['400 VALIDATION_ERROR', 'a missing variable', true, () => post({ ...template, templateVariables: { 1: 'Ada' } })],
  ['400 VALIDATION_ERROR', 'a filter twice', true, () => request('/api/v1/public/templates?name=x&name=y')],
  ['400 PHONE_NUMBER_NOT_FOUND', 'a line', false, () => post({ ...text, phoneNumberId: newId('line') })],
  [
    '400 TEMPLATE_NOT_APPROVED',
    'a template',
    true,
    () => post({ ...template, templateName: 'pending', templateVariables: {} }),
  ],
  ['400 CHANNEL_GRAPH_ERROR', 'a refusal', true, () => refusedBy(graphError(400, { code: 131026, message: 'no' }))],
  ['502 CHANNEL_GRAPH_ERROR', 'a bad token', true, () => refusedBy(graphError(401, { code: 190, message: 'no' }))],
  ['401 UNAUTHORIZED', 'no key', false, () => fetch(`${gateway.url}/api/v1/public/templates`)],
  [
    '401 UNAUTHORIZED',
    'a callback',
    false,
    () => request(`/callbacks/channel/${gateway.channelId}`, { method: 'POST' }),
  ],
  ['402 PLAN_LIMIT_EXCEEDED', 'the plan', true, () => withLimit(0, () => post(text))],
  ['404 NOT_FOUND', 'a message', false, () => request(`/api/v1/public/messages/${newId('msg')}`)],
  ['404 NOT_FOUND', 'a message id of rubbish', false, () => request('/api/v1/public/messages/%00%ff%zz')],
  [
    '404 NOT_FOUND',
    'a message id of 4,000 characters',
    false,
    () => request(`/api/v1/public/messages/${'x'.repeat(4_000)}`),
  ],
  ['404 NOT_FOUND', 'a contact', false, () => post({ ...text, phone: undefined, contactId: newId('contact') })],
  ['404 NOT_FOUND', 'a partner route', false, () => request('/api/v1/public/contacts')],
  ['404 NOT_FOUND', 'a route', false, () => request('/nowhere')],
  ['404 NOT_FOUND', 'the root', false, () => request('/')],
  ['404 NOT_FOUND', 'a channel', false, () => request(`/callbacks/channel/${newId('chan')}`)],
  ['404 NOT_FOUND', 'a method of the send route', false, () => request(sendPath, { method: 'DELETE' })],
  ['404 NOT_FOUND', 'a method of the list', false, () => request('/api/v1/public/templates', { method: 'PUT' })],
  ['404 NOT_FOUND', 'a method of the health check', false, () => request('/livez', { method: 'POST' })],
  ['409 IDEMPOTENCY_CONFLICT', 'a used key', false, conflict],
  ['413 PAYLOAD_TOO_LARGE', 'a large body', false, () => post(' '.repeat(131_073))],
  ['415 UNSUPPORTED_MEDIA_TYPE', 'words', false, () => post('hello', { 'content-type': 'text/plain' })],
  // A record that no upstream would list; it stands for any defect of our own.
  ['500 INTERNAL_ERROR', 'a defect', false, () => post({ ...template, templateName: 'broken', templateVariables: {} })],
]

async function refusedBy(response: Response): Promise<Response> {
  gateway.upstream.answer = () => response
  try {
    return await post(text)
  } finally {
    gateway.upstream.answer = accept
  }
}

async function withLimit(limit: number, ask: () => Promise<Response>): Promise<Response> {
  const { workspaceId } = gateway
  await gateway.gateway.store.write.setMonthlyLimit({ workspaceId, limit })
  try {
    return await ask()
  } finally {
    await gateway.gateway.store.write.setMonthlyLimit({ workspaceId, limit: null })
  }
}

async function conflict(): Promise<Response> {
  await post({ ...text, idempotencyKey: 'used' })
  return post({ ...text, content: 'Other', idempotencyKey: 'used' })
}

describe('every error is error, message and at times details, and nothing of our insides', () => {
  test.each(rows)('%s: %s', async (expected, _, hasDetails, ask) => {
    const response = await ask()
    const body = await response.text()
    const json = JSON.parse(body)
    expect(`${response.status} ${json.error}`).toBe(expected)
    expect(Object.keys(json)).toEqual(hasDetails ? ['error', 'message', 'details'] : ['error', 'message'])
    expect(json.message).toMatch(/\w/)
    expect(response.headers.get('content-type')).toMatch(/^application\/json(; ?charset=utf-8)?$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
    expect(body).not.toMatch(leaks)
    expect(body).not.toContain(text.phone.slice(1))
  })
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
