import { beforeEach, describe, expect, test } from 'bun:test'
import { webhook } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, startTestGateway } from '../gateway.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
let key: Key
beforeEach(async () => {
  key = await gateway.createKey({ scopes: ['webhooks'] })
})

const url = 'https://shop.example.com/hook'

function ask(method: string, path = '', body?: object, of = key): Promise<Answer> {
  const headers = { ...of, ...(body && { 'content-type': 'application/json' }) }
  const given = body && { body: JSON.stringify(body) }
  return answerOf(fetch(`${gateway.url}/api/v1/public/webhooks${path}`, { method, headers, ...given }))
}
const add = async (fields: object = {}) => (await ask('POST', '', { url, ...fields })).json.data

test('an endpoint is added with a secret that is answered once, listed, shown and removed', async () => {
  const headers = { Authorization: 'Bearer of-the-shop' }
  const answer = await ask('POST', '', { url, events: ['message.read'], lineIds: [gateway.line.id], headers })
  const { id, secret, ...rest } = answer.json.data
  expect([answer.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[\w+/=]{44}$/)])
  expect(rest).toMatchObject({ url, events: ['message.read'], hasHeaders: true, state: 'untried', description: null })
  const [listed, one] = [await ask('GET'), await ask('GET', `/${id}`)]
  expect(listed.json.data.webhooks).toContainEqual({ id, ...rest })
  expect(one.json.data).toEqual({ id, ...rest })
  for (const { text } of [listed, one]) expect(text).not.toMatch(/whsec_|of-the-shop/)
  expect((await ask('DELETE', `/${id}`)).json.data.id).toBe(id)
  expect([(await ask('GET', `/${id}`)).status, (await ask('DELETE', `/${id}`)).status]).toEqual([404, 404])
})

test('a change names all of it; headers and whether it is on stay when they are left out', async () => {
  const { id } = await add({ events: ['message.read'], description: 'Shop', headers: { 'x-tenant': 'shop' } })
  const off = (await ask('PUT', `/${id}`, { url, isOn: false })).json.data
  expect(off).toMatchObject({ events: null, description: null, hasHeaders: true, disabledReason: 'switchedOff' })
  const still = (await ask('PUT', `/${id}`, { url, events: null, description: 'Shop', headers: {} })).json.data
  expect(still).toMatchObject({ events: null, description: 'Shop', hasHeaders: false, state: 'off' })
  const on = (await ask('PUT', `/${id}`, { url, isOn: true })).json.data
  expect(on).toMatchObject({ state: 'untried', hasDroppedHeaders: false })
})

test('a secret is rotated; a test event is sent at once, and its answer is shown', async () => {
  await using receiver = startReceiver()
  const { id, secret } = await add({ url: receiver.url })
  const rotated = (await ask('POST', `/${id}/rotate`, { graceHours: 2 })).json.data
  expect(rotated.secret).not.toBe(secret)
  expect(Date.parse(rotated.formerUntil) - Date.now()).toBeWithin(7_190_000, 7_200_001)
  expect((await ask('POST', `/${id}/rotate`, { graceHours: 0 })).json.data.formerUntil).toBeNull()
  const tested = (await ask('POST', `/${id}/test`)).json.data
  expect(tested).toMatchObject({ type: 'message.delivered', status: 200, error: null, answer: 'taken' })
  expect(receiver.received.map(({ id }) => id)).toEqual([tested.eventId])
})

test('what was delivered is listed, and delivered again', async () => {
  await using receiver = startReceiver()
  const { id } = await add({ url: receiver.url, events: ['message.sent'] })
  await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
  const listed = async () => (await ask('GET', `/${id}/deliveries?limit=1`)).json.data
  await eventually(async () => expect((await listed()).deliveries).toHaveLength(1))
  const replayed = await ask('POST', `/${id}/replay`, { since: new Date(Date.now() - 60_000).toISOString() })
  expect(replayed.json.data.due).toBeGreaterThan(0)
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1))
  const [first, again] = receiver.received
  expect(again?.id).toBe(first?.id)
  const { deliveries, next } = await listed()
  expect([deliveries[0].eventId, deliveries[0].type, next]).toEqual([first?.id, 'message.sent', null])
  expect((await ask('POST', `/${id}/replay`, { since: '2026-01-01T00:00:00Z', eventId: first?.id })).status).toBe(400)
})

test('the audit names the key', async () => {
  const { id } = await add()
  await ask('DELETE', `/${id}`)
  const entries = await gateway.gateway.store.read.auditEntries({ subject: id, limit: 10 })
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['webhook.remove', `key:${key.apiKey}`],
    ['webhook.add', `key:${key.apiKey}`],
  ])
})

describe('403 FORBIDDEN', () => {
  test('a key that was made without scopes manages no webhooks', async () => {
    const answer = await ask('GET', '', undefined, await gateway.createKey())
    expect([answer.status, answer.json.details]).toEqual([403, { scope: 'webhooks' }])
  })
})

test('404 NOT_FOUND: an endpoint of another workspace is as none', async () => {
  const { workspaceId } = await gateway.addWorkspace()
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
  expect((await ask('GET')).text).not.toContain('hook_foreign')
  expect(await read.webhook('hook_foreign')).toEqual(before)
})

test.each<[what: string, body: object, path: string]>([
  ['an address of this machine', { url: 'http://127.0.0.2/' }, '/url'],
  ['no address', {}, '/url'],
  ['an unknown type', { url, events: ['message.lost'] }, '/events/0'],
  ['a header that signs', { url, headers: { 'Webhook-Id': '1' } }, '/headers'],
  ['a line of nobody', { url, lineIds: ['line_none'] }, '/lineIds'],
  ['an unknown field', { url, secret: 'whsec_mine' }, '/secret'],
])('400 VALIDATION_ERROR: %s', async (_, body, path) => {
  const { status, json } = await ask('POST', '', body)
  expect([status, json.details.issues[0].path]).toEqual([400, path])
})
