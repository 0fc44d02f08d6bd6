import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { numberedId } from '../../src/base/ids.ts'
import { webhookHeaders } from '../../src/base/webhookSignature.ts'
import { webhook } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, startTestGateway, type Tenant } from '../gateway.ts'
import { timestamp } from '../timestamp.ts'
import { type Receiver, startReceiver, took } from '../webhooks/receiver.ts'

/*
 * What holds of endpoints through each door, by the cheapest one. What the console and the commands add is in their own
 * tests; what an address, headers and secrets may be, and how events are delivered, in test/webhooks/.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
/** Of each test alone: endpoints get no event of another one. */
let tenant: Tenant
let key: Key
beforeEach(async () => {
  tenant = await gateway.addWorkspace()
  key = await gateway.createKey({ workspaceId: tenant.workspaceId, scopes: ['webhooks'] })
})

const url = 'https://shop.example.com/hook'

function ask(method: string, path = '', body?: object): Promise<Answer> {
  const headers = { ...key, ...(body && { 'content-type': 'application/json' }) }
  const given = body && { body: JSON.stringify(body) }
  return answerOf(fetch(`${gateway.url}/api/v1/public/webhooks${path}`, { method, headers, ...given }))
}
const add = async (fields: object = {}) => (await ask('POST', '', { url, ...fields })).json.data

describe('an endpoint', () => {
  test('is added with a secret that is answered once, listed, shown and removed', async () => {
    const lineIds = [tenant.line.id]
    const named = { url, events: ['message.read'], lineIds, description: 'The shop' }
    const headers = { Authorization: 'Bearer of-the-shop' }
    // What is named twice counts once.
    const twice = { events: ['message.read', 'message.read'], lineIds: [...lineIds, ...lineIds] }
    const answer = await ask('POST', '', { ...named, ...twice, headers })
    const { id, secret, ...rest } = answer.json.data
    expect([answer.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[\w+/=]{44}$/)])
    const { workspaceId } = tenant
    expect(rest).toMatchObject({ ...named, workspaceId, hasHeaders: true, state: 'untried', disabledReason: null })
    const [listed, one] = [await ask('GET'), await ask('GET', `/${id}`)]
    expect(listed.json.data.webhooks).toEqual([{ id, ...rest }])
    expect(one.json.data).toEqual({ id, ...rest })
    for (const { text } of [listed, one]) expect(text).not.toMatch(/whsec_|of-the-shop/)
    expect((await ask('DELETE', `/${id}`)).json.data.id).toBe(id)
    expect([(await ask('GET', `/${id}`)).status, (await ask('DELETE', `/${id}`)).status]).toEqual([404, 404])
  })

  test('is changed as a whole; whether it is on stays, and its headers do for the same address alone', async () => {
    const { id } = await add({ events: ['message.read'], description: 'Shop', headers: { 'x-tenant': 'shop' } })
    const change = async (fields: object) => (await ask('PUT', `/${id}`, { url, ...fields })).json.data
    const kept = { hasHeaders: true, hasDroppedHeaders: false }
    const off = { ...{ events: null, description: null, disabledReason: 'switchedOff' }, ...kept }
    expect(await change({ isOn: false })).toMatchObject(off)
    const moved = { url: 'https://example.org/hook', description: 'Moved' }
    expect(await change(moved)).toMatchObject({ ...moved, state: 'off', hasHeaders: false, hasDroppedHeaders: true })
    const on = { state: 'untried', disabledReason: null, disabledAt: null }
    expect(await change({ headers: { 'x-tenant': 'two' }, isOn: true })).toMatchObject({ ...on, ...kept })
    expect(await change({ headers: {} })).toMatchObject({ url, state: 'untried', hasHeaders: false })
  })

  test('gets another secret, and says until when the former one signs', async () => {
    const { id, secret } = await add()
    const rotate = async (body?: object) => (await ask('POST', `/${id}/rotate`, body)).json.data
    const rotated = await rotate({ graceHours: 2 })
    expect(rotated.secret).not.toBe(secret)
    const hoursOf = ({ formerUntil }: typeof rotated) => Math.round((Date.parse(formerUntil) - Date.now()) / hourMs)
    expect([hoursOf(rotated), hoursOf(await rotate())]).toEqual([2, 24])
    expect((await rotate({ graceHours: 0 })).formerUntil).toBeNull()
  })

  test('is sent an example at once, signed with both secrets, on or off, and nothing of it is kept', async () => {
    await using receiver = startReceiver()
    const { id, secret } = await add({ url: receiver.url, headers: { 'x-tenant': 'shop' } })
    await ask('PUT', `/${id}`, { url: receiver.url, isOn: false })
    const next = (await ask('POST', `/${id}/rotate`)).json.data.secret
    const tested = (await ask('POST', `/${id}/test`, { type: 'message.read' })).json.data
    expect(tested).toMatchObject({ type: 'message.read', status: 200, error: null, answer: 'taken' })
    const [{ id: eventId, event, headers, body } = { headers: new Headers(), body: '' }] = receiver.received
    expect(event).toMatchObject({ id: eventId, type: 'message.read', data: { message: { status: 'READ' } } })
    expect([tested.eventId, eventId]).toEqual([eventId, expect.stringMatching(/^evt_test/)])
    const signed = { id: tested.eventId, seconds: Number(headers.get('webhook-timestamp')), body }
    expect(Object.fromEntries(headers)).toMatchObject({ ...webhookHeaders([next, secret], signed), 'x-tenant': 'shop' })
    receiver.answer = () => new Response('closed', { status: 503 })
    expect((await ask('POST', `/${id}/test`)).json.data).toMatchObject({ type: 'message.delivered', status: 503 })
    await receiver.stop()
    expect((await ask('POST', `/${id}/test`)).json.data).toMatchObject({ status: null, error: expect.any(String) })
    expect((await ask('GET', `/${id}`)).json.data).toMatchObject({ deliveredAt: null, failedAt: null })
    expect((await ask('GET', `/${id}/deliveries`)).json.data).toEqual({ deliveries: [], next: null })
  })

  test('is changed on behalf of the key, as the audit says', async () => {
    const { id } = await add()
    await ask('DELETE', `/${id}`)
    const entries = await gateway.gateway.store.read.auditEntries({ subject: id, limit: 10 })
    const by = `key:${key.apiKey}`
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['webhook.remove', by],
      ['webhook.add', by],
    ])
  })
})

describe('deliveries', () => {
  /** It took the first event, and answered to the second that it is gone: so the endpoint is off, and tries nothing. */
  let receiver: Receiver
  let id: string
  let taken: string
  let refused: string
  const events = ['message.sent']
  const list = async (query = '') => (await ask('GET', `/${id}/deliveries${query}`)).json.data
  const states = async () => (await list()).deliveries.map(({ state }: { state: string }) => state)
  beforeEach(async () => {
    receiver = startReceiver()
    id = (await add({ url: receiver.url, events })).id
    const tell = async (...expected: string[]) => {
      await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' }, { ...tenant.key })
      await eventually(async () => expect(await states()).toEqual(expected))
    }
    await tell('delivered')
    receiver.answer = () => new Response('closed', { status: 410 })
    await tell('pending', 'delivered')
    // It is switched off after the attempt is recorded.
    await eventually(async () => expect((await ask('GET', `/${id}`)).json.data.disabledReason).toBe('gone'))
    ;[taken = '', refused = ''] = new Set(receiver.received.map(({ id }) => id))
  })
  afterEach(() => receiver.stop())
  const replay = (body: object) => ask('POST', `/${id}/replay`, body)
  const ofNobody = numberedId('evt', 'ws_another_workspace', 1)

  test('are listed by state and page, newest first', async () => {
    const { deliveries, next } = await list()
    const attempt = { at: timestamp, durationMs: expect.any(Number), status: 410, error: null, answer: 'closed' }
    expect(structuredClone(deliveries)).toEqual([
      {
        ...{ eventId: refused, type: 'message.sent', state: 'pending', attemptCount: 1 },
        ...{ attempts: [attempt], nextAt: timestamp },
      },
      expect.objectContaining({ eventId: taken, state: 'delivered', nextAt: null }),
    ])
    expect(next).toBeNull()
    const [newest, older] = deliveries
    expect(await list('?state=delivered')).toEqual({ deliveries: [older], next: null })
    expect(await list('?limit=1')).toEqual({ deliveries: [newest], next: refused })
    expect(await list(`?limit=1&before=${refused}`)).toEqual({ deliveries: [older], next: null })
    const foreign = await ask('GET', `/${id}/deliveries?before=${ofNobody}`)
    expect([foreign.status, foreign.json.details.issues[0].path]).toEqual([400, '/before'])
  })

  test('are made due again, one, those that failed, or all since a time, and come as the same events', async () => {
    const [since, later] = [-hourMs, hourMs].map(ms => new Date(Date.now() + ms).toISOString())
    expect((await replay({ since: later })).json.data).toEqual({ due: 0 })
    expect((await replay({ failedSince: since })).json.data).toEqual({ due: 1 })
    expect(await states()).toEqual(['pending', 'delivered'])
    expect((await replay({ eventId: taken })).json.data).toEqual({ due: 1 })
    expect(await states()).toEqual(['pending', 'pending'])
    expect((await replay({ since })).json.data).toEqual({ due: 2 })
    for (const [body, path] of [
      [{}, ''],
      [{ since, failedSince: since }, ''],
      [{ since: 'yesterday' }, '/since'],
      [{ eventId: ofNobody }, '/eventId'],
    ] as const) {
      const { status, json } = await replay(body)
      expect([status, json.details.issues[0].path]).toEqual([400, path])
    }
    expect((await replay({ eventId: numberedId('evt', tenant.workspaceId, 9_999) })).status).toBe(404)
    receiver.answer = took
    await ask('PUT', `/${id}`, { url: receiver.url, events, isOn: true })
    await eventually(async () => expect(await states()).toEqual(['delivered', 'delivered']))
    const ids = receiver.received.map(({ id }) => id)
    expect([ids.length > 3, new Set(ids)]).toEqual([true, new Set([taken, refused])])
  })
})

test('404 NOT_FOUND: an endpoint of another workspace is as none', async () => {
  const { workspaceId } = gateway
  const { write, read } = gateway.gateway.store
  await write.addWebhook(webhook({ id: 'hook_foreign', workspaceId }))
  const before = await read.webhook('hook_foreign')
  const answers = await Promise.all([
    ask('GET', '/hook_foreign'),
    ask('PUT', '/hook_foreign', { url }),
    ask('DELETE', '/hook_foreign'),
    ask('GET', '/hook_foreign/deliveries'),
    ...['rotate', 'test'].map(verb => ask('POST', `/hook_foreign/${verb}`)),
    ask('POST', '/hook_foreign/replay', { since: '2026-01-01T00:00:00Z' }),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
  expect((await ask('GET')).json.data.webhooks).toEqual([])
  expect(await read.webhook('hook_foreign')).toEqual(before)
})

test.each<[what: string, body: object, path: string, says: string]>([
  ['no address', { url: undefined }, '/url', 'is required'],
  ['a private address', { url: 'https://10.0.0.5/' }, '/url', 'WEBHOOK_ALLOWED_NETWORKS=10.0.0.5/32'],
  ['this machine, as another address of it', { url: 'http://127.0.0.2/' }, '/url', 'waypost listen --forward-to'],
  ['a type that does not exist', { events: ['message.lost'] }, '/events/0', 'must be one of message'],
  ['no type at all', { events: [] }, '/events', ''],
  ['a line of nobody', { lineIds: ['line_none'] }, '/lineIds', 'none of this workspace'],
  ['a header that signs', { headers: { 'Webhook-Id': '1' } }, '/headers', 'Webhook-Id'],
  ['a name of nothing but space', { description: ' ' }, '/description', ''],
  ['an unknown field', { secret: 'whsec_mine' }, '/secret', ''],
])('400 VALIDATION_ERROR: %s is refused, and nothing is stored', async (_, fields, path, says) => {
  const { id } = await add()
  const before = (await ask('GET')).text
  for (const answer of [await ask('POST', '', { url, ...fields }), await ask('PUT', `/${id}`, { url, ...fields })]) {
    expect([answer.status, answer.json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json.details.issues[0]).toEqual({ path, message: expect.stringContaining(says) })
  }
  expect((await ask('GET')).text).toBe(before)
})
