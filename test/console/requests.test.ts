import { beforeAll, describe, expect, test } from 'bun:test'
import { requestOutcomes } from '../../db/contract/apiRequests.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Key, orderTemplate, startTestGateway, type Tenant } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

const clock = new ManualClock(Date.now())
const keyLimit = 300
let other: Tenant
let viewer: Person
const gateway = sharedFixture(() => startTestGateway({ clock, env: { PUBLIC_API_KEY_RATE_LIMIT: String(keyLimit) } }))
beforeAll(async () => {
  await gateway.addTemplates(orderTemplate)
  other = await gateway.addWorkspace()
  await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: other.workspaceId, limit: 0 })
  viewer = await addPerson(gateway, 'viewer')
})

let count = 0
/** A caller's `X-Request-Id`, by which the request is found. */
const newRequestId = () => `request.${++count}`
const path = (rest = '', workspaceId = gateway.workspaceId) => `/api/v1/workspaces/${workspaceId}/requests${rest}`
const list = async (query: string) => (await viewer.call(path(`?${query}`))).json.requests

const call = (
  route: string,
  { key = gateway.key, headers = {}, ...init }: { key?: Key; method?: string; body?: string; headers?: object } = {},
) => fetch(`${gateway.url}/api/v1/public${route}`, { ...init, headers: { ...key, ...headers } })

const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
const send = (body: object | string, { requestId = newRequestId(), key = gateway.key, headers = {} } = {}) =>
  call('/messages/send', {
    key,
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  })

/** A second later it is written, and then it is shown. */
async function kept(requestId: string) {
  clock.advance(1_000)
  return eventually(async () => {
    const [found] = await list(`requestId=${requestId}`)
    expect(found).toBeDefined()
    return found
  })
}
async function details(requestId: string) {
  const { id } = await kept(requestId)
  const { status, json } = await viewer.call(path(`/${id}`))
  expect(status).toBe(200)
  return json
}

test('an answered call: when, which key, what, how long, and its message', async () => {
  const requestId = newRequestId()
  const answeredAt = clock.now()
  const { data } = (await (await send(text, { requestId })).json()) as { data: { id: string } }
  expect(await details(requestId)).toEqual({
    id: `answered-${(await kept(requestId)).id.split('-')[1]}-${answeredAt}`,
    at: new Date(answeredAt).toISOString(),
    key: { id: gateway.key.apiKey, label: null },
    call: 'POST /messages/send',
    status: 201,
    reason: null,
    about: null,
    durationMs: 0,
    requestId,
    messageId: data.id,
    hasMessage: true,
    refusal: null,
  })
  expect(await list(`messageId=${data.id}&call=${encodeURIComponent('POST /messages/send')}`)).toMatchObject([
    { requestId },
  ])
})

describe('a refused call says what was wrong, where, and what it means', () => {
  const malformed = async (requestId: string) => void (await send({ ...text, phone: '12', to: 'x' }, { requestId }))
  const cases: readonly (readonly [name: string, refuse: (requestId: string) => Promise<unknown>, is: object])[] = [
    [
      'malformed',
      malformed,
      {
        status: 400,
        reason: 'VALIDATION_ERROR',
        about: '/to +1',
        refusal: {
          message: 'The request is malformed.',
          heading: 'VALIDATION_ERROR',
          issues: [
            { path: '/to', message: expect.stringContaining('is not a known field') },
            { path: '/phone', message: expect.stringContaining('is not an international number') },
          ],
        },
      },
    ],
    [
      'no JSON',
      requestId => send(text, { requestId, headers: { 'content-type': 'text/plain' } }),
      { status: 415, reason: 'UNSUPPORTED_MEDIA_TYPE', refusal: { message: expect.stringContaining('Content-Type') } },
    ],
    [
      'too large',
      requestId => send('x'.repeat(200_000), { requestId }),
      { status: 413, reason: 'PAYLOAD_TOO_LARGE', refusal: { issues: [] } },
    ],
    [
      'an unknown template',
      requestId =>
        send(
          { type: 'template', phone: text.phone, templateName: 'x', templateLanguage: 'en', templateVariables: {} },
          { requestId },
        ),
      { status: 404, reason: 'NOT_FOUND', refusal: { message: expect.stringContaining('no template named') } },
    ],
    [
      'a key of idempotency with another body',
      async requestId => {
        await send({ ...text, idempotencyKey: 'once' })
        await send({ ...text, idempotencyKey: 'once', content: 'Else' }, { requestId })
      },
      { status: 409, reason: 'IDEMPOTENCY_CONFLICT', refusal: { heading: 'IDEMPOTENCY_CONFLICT' } },
    ],
    [
      'by the channel',
      async requestId => {
        gateway.upstream.answer = () => graphError(400, { code: 131026, message: `no ${text.phone}` })
        await send(text, { requestId })
        gateway.upstream.answer = accept
      },
      {
        status: 400,
        reason: 'CHANNEL_GRAPH_ERROR',
        about: expect.stringMatching(/^[A-Z]/),
        messageId: expect.stringMatching(/^msg_/),
        hasMessage: true,
        refusal: {
          message: 'The upstream platform refused the message',
          code: 131026,
          heading: '131026',
          remedy: expect.any(String),
        },
      },
    ],
    [
      'a path that no endpoint has',
      requestId => call('/mesages/send', { headers: { 'x-request-id': requestId } }),
      { call: 'no such route', status: 404, reason: 'NOT_FOUND' },
    ],
    [
      'a message that is not there',
      requestId => call('/messages/msg_1', { headers: { 'x-request-id': requestId } }),
      { call: 'GET /messages/:messageId', status: 404, reason: 'NOT_FOUND', messageId: null },
    ],
    [
      'beyond the limit of its key',
      async requestId => {
        const key = await gateway.createKey()
        for (let calls = 0; calls < keyLimit; calls += 1) await call('/templates', { key })
        await call('/templates', { key, headers: { 'x-request-id': requestId } })
      },
      { call: 'GET /templates', status: 429, reason: 'RATE_LIMIT_EXCEEDED' },
    ],
  ]

  test.each(cases)('%s', async (_, refuse, is) => {
    const requestId = newRequestId()
    await refuse(requestId)
    const shown = await details(requestId)
    expect(shown).toMatchObject({ requestId, ...is })
    expect(shown.refusal.meaning).toMatch(/^[A-Z][^`]+\.$/)
  })

  test('a call without a valid key is kept nowhere', async () => {
    const requestId = newRequestId()
    const key = { ...gateway.key, apiSecret: 'wrong' }
    expect((await call('/templates', { key, headers: { 'x-request-id': requestId } })).status).toBe(401)
    await malformed(newRequestId())
    await kept(`request.${count}`)
    expect(await list(`requestId=${requestId}`)).toEqual([])
  })
})

test('filters find what they name, page by page, newest first', async () => {
  const key = await gateway.createKey()
  const ids = Array.from({ length: 7 }, newRequestId)
  for (const [at, requestId] of ids.entries()) {
    clock.advance(10)
    await send(at % 3 === 0 ? { ...text, phone: 'no' } : text, { requestId, key })
  }
  await kept(ids.at(-1) ?? '')
  const found = async (query: string) =>
    (await list(`keyId=${key.apiKey}&${query}`)).map((request: { requestId: string }) => ids.indexOf(request.requestId))
  expect(await found('')).toEqual([6, 5, 4, 3, 2, 1, 0])
  expect(await found('outcome=refused')).toEqual([6, 3, 0])
  expect(await found('outcome=answered')).toEqual([5, 4, 2, 1])
  expect(await found('reason=VALIDATION_ERROR')).toEqual([6, 3, 0])
  expect(await found('reason=NOT_FOUND')).toEqual([])
  expect(await found(`call=${encodeURIComponent('GET /events')}`)).toEqual([])
  const [{ at }] = await list(`requestId=${ids[4]}`)
  expect(await found(`since=${at}`)).toEqual([6, 5, 4])
  expect(await found(`until=${at}`)).toEqual([3, 2, 1, 0])
  const pages: number[][] = []
  for (let older: string | null = ''; older !== null; ) {
    const { json } = await viewer.call(path(`?keyId=${key.apiKey}&limit=3${older && `&older=${older}`}`))
    pages.push(json.requests.map((request: { requestId: string }) => ids.indexOf(request.requestId)))
    older = json.older
  }
  expect(pages).toEqual([[6, 5, 4], [3, 2, 1], [0]])
})

test('another workspace has its own: what its plan refuses is not shown here', async () => {
  const requestId = newRequestId()
  expect((await send(text, { requestId, key: other.key })).status).toBe(402)
  const colleague = await addPerson(gateway, 'viewer', other.workspaceId)
  clock.advance(1_000)
  const shown = await eventually(async () => {
    const { json } = await colleague.call(path(`?requestId=${requestId}`, other.workspaceId))
    expect(json.requests).toMatchObject([{ status: 402, reason: 'PLAN_LIMIT_EXCEEDED' }])
    return json.requests[0]
  })
  expect(await list(`requestId=${requestId}`)).toEqual([])
  expect((await viewer.call(path(`/${shown.id}`))).status).toBe(404)
  for (const id of ['answered-1', 'refused-999999-1', 'x']) expect((await viewer.call(path(`/${id}`))).status).toBe(404)
})

test('nothing of what callers send is kept, whatever field it comes in, and whatever the channel says', async () => {
  const secret = 'Geheimnis'
  const number = '4915199887766'
  const digits = '471147114711'
  const said = `${secret} ${number} https://${secret}.example/${number}`
  const all = (value: unknown) =>
    Object.fromEntries(
      ['phone', 'contactId', 'phoneNumberId', 'content', 'templateName', 'templateLanguage', 'idempotencyKey'].map(
        name => [name, value],
      ),
    )
  const values = { [said]: said, [number]: said, '1': said, name: { [said]: [said] } }
  const bodies = ['text', 'template', 'interactive', said].flatMap(type => [
    {
      type,
      ...all(said),
      [said]: said,
      templateVariables: values,
      bodyParameters: values,
      carousel: { cards: [values] },
    },
    { type, ...all([said]), templateComponents: [{ type: said, parameters: [{ type: said, text: said }] }] },
    {
      type,
      ...all(number),
      content: JSON.stringify({ type: said, [said]: said, body: { text: said }, action: values }),
    },
  ])
  const valid = { type: 'template', phone: `+${number}`, templateName: 'order_confirmation', templateLanguage: 'en_US' }
  bodies.push(
    { ...text, phone: `+${number}`, content: said, idempotencyKey: said } as never,
    { ...text, phone: `+${number}`, content: `${said}!`, idempotencyKey: said } as never,
    { ...valid, templateVariables: values } as never,
    { ...valid, templateLanguage: said, templateVariables: { 1: said, 2: said } } as never,
    // Names that a field could have.
    { ...valid, templateVariables: { 1: 'x', [secret]: 'x', [`p${number}`]: 'x', [digits]: 'x' } } as never,
    { ...valid, templateVariables: { [secret]: 1 }, bodyParameters: { [secret]: 1 } } as never,
    { ...valid, carousel: { cards: [{ bodyValues: { [secret]: 1 }, [secret]: 1 }] } } as never,
    { ...valid, templateComponents: [{ type: 'body', [secret]: 1e20 }] } as never,
    {
      ...text,
      type: 'interactive',
      content: `{"type":"button","${secret}":{"${secret}":100000000000000000000}}`,
    } as never,
    { ...text, [`p${number}`]: 1 } as never,
  )
  for (const body of bodies) await send(body)
  await send(`{"${said}": ${said}`)
  gateway.upstream.answer = () =>
    graphError(400, { code: 131009, message: said, error_data: { details: said }, error_user_title: said })
  await send({ ...text, phone: `+${number}`, content: said })
  gateway.upstream.answer = accept
  for (const route of [
    '/contacts?phone=',
    '/contacts/',
    '/messages/',
    '/inbound?contactId=',
    '/events?type=',
    '/media/',
    '/',
  ])
    await call(`${route}${encodeURIComponent(said)}`)
  const last = newRequestId()
  await send({ ...text, phone: number, [said]: said }, { requestId: last })
  expect((await details(last)).refusal.issues).toContainEqual({ path: '/…', message: 'is not a known field' })
  for (const outcome of requestOutcomes) {
    const of = { workspaceId: gateway.workspaceId, outcome, before: null, since: 0, scan: 10_000 }
    const { requests } = await gateway.gateway.store.read.apiRequests(of)
    expect(requests).not.toEqual([])
    expect(JSON.stringify(requests)).not.toMatch(new RegExp(`${secret}|${number}|${digits}|${secret.toLowerCase()}`))
  }
})

test('what can be chosen to filter by', async () => {
  const { json } = await viewer.call(`/api/v1/workspaces/${gateway.workspaceId}/request-filters`)
  expect(json.keys).toContainEqual({ id: gateway.key.apiKey, label: null })
  const documented = Object.entries<object>((await gateway.get('/docs/json')).json.paths).flatMap(([route, methods]) =>
    Object.keys(methods).map(
      method => `${method.toUpperCase()} ${route.replace('/api/v1/public', '').replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  expect(json.calls.toSorted()).toEqual([...documented, 'no such route'].toSorted())
  expect(json.reasons).toContain('VALIDATION_ERROR')
  expect(json.reasons).not.toContain('UNAUTHORIZED')
})
