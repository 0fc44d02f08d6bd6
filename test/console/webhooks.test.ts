import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { webhooksMax } from '../../db/contract/webhooks.ts'
import { newId, numberedId } from '../../src/base/ids.ts'
import { webhookHeaders } from '../../src/base/webhookSignature.ts'
import { outcome, webhook } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type Tenant } from '../gateway.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { addPerson, type CallInit, type Person } from './people.ts'

let admin: Person
let viewer: Person
const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
beforeAll(async () => {
  admin = await addPerson(gateway, 'admin')
  viewer = await addPerson(gateway, 'viewer')
})

const call = (path: string, init?: CallInit, person = admin) =>
  person.call(`/api/v1/workspaces/${gateway.workspaceId}/webhooks${path}`, init)
const url = 'https://shop.example.com/hook'
const add = async (body: object = {}) => (await call('', { body: { url, ...body } })).json
/** All that a change names. */
const whole = { url, description: null, events: null, lineIds: null }
const change = (id: string, body: object) => call(`/${id}`, { method: 'PUT', body })
const storedSecrets = async (id: string) => (await gateway.gateway.store.read.webhook(id))?.sealedSecrets

test('an endpoint is added with a secret that is answered once; a viewer sees the rest', async () => {
  const headers = { Authorization: 'Bearer of-the-shop' }
  const { id, secret, ...rest } = await add({
    ...{ description: 'The shop', events: ['message.delivered', 'message.read'] },
    ...{ lineIds: [gateway.line.id], headers },
  })
  expect(secret).toMatch(/^whsec_[\w+/=]{44}$/)
  const shown = {
    ...{ url, description: 'The shop', events: ['message.delivered', 'message.read'], lineIds: [gateway.line.id] },
    ...{ hasHeaders: true, state: 'untried', workspaceId: gateway.workspaceId, disabledReason: null },
  }
  expect(rest).toMatchObject(shown)
  const listed = await call('', undefined, viewer)
  expect(listed.json.webhooks).toContainEqual({ id, ...rest, lately: [] })
  expect(listed.json.eventTypes).toContainEqual({ type: 'message.read', meaning: 'The user opened it.' })
  const one = await call(`/${id}`, undefined, viewer)
  expect(one.json).toEqual({ id, ...rest, lately: [], capacity: null })
  for (const { text } of [listed, one]) expect(text).not.toMatch(/whsec_|of-the-shop/)
})

test('an endpoint of the platform’s format is stored once its receiver has answered, and shows what is sent', async () => {
  const program = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => new Response(new URL(url).searchParams.get('hub.challenge')),
  })
  await using _ = { [Symbol.asyncDispose]: () => program.stop(true) }
  const url = `http://127.0.0.1:${program.port}/hook`
  const own = await gateway.addWorkspace()
  const owner = await addPerson(gateway, 'admin', own.workspaceId)
  const here = async (path: string, init?: CallInit) =>
    owner.call(`/api/v1/workspaces/${own.workspaceId}/webhooks${path}`, init)
  const verifyToken = 'of the inbox'
  const added = await here('', { body: { url, format: 'platform', verifyToken } })
  const { id, format, events } = added.json
  expect([format, events]).toEqual(['platform', null])
  const moved = await here(`/${id}`, { method: 'PUT', body: { ...whole, url: `${url}2`, verifyToken } })
  expect(moved.json).toMatchObject({ url: `${url}2`, events })
  const refused = await here('', { body: { url: 'http://127.0.0.1:1/', format: 'platform' } })
  expect([refused.status, refused.json.error]).toEqual([400, 'VALIDATION_ERROR'])
  await gateway.send({ type: 'text', phone: '+4915112345678', content: 'hi' }, { ...own.key })
  const eventId = await eventually(async () => {
    const { deliveries } = (await here(`/${id}/deliveries`)).json
    expect(deliveries).toHaveLength(1)
    return deliveries[0].eventId
  })
  const { event } = (await here(`/${id}/deliveries/${eventId}`)).json
  expect([event.object, event.entry[0].id]).toEqual(['whatsapp_business_account', '100002'])
})

test('a change names all of it; headers that it leaves out stay, but for a new address, and can be removed', async () => {
  const { id } = await add({ events: ['message.read'], headers: { 'x-tenant': 'shop' } })
  const moved = 'https://example.org/hook'
  const kept = { hasHeaders: true, hasDroppedHeaders: false }
  expect((await change(id, { ...whole, description: 'Shop' })).json).toMatchObject({ description: 'Shop', ...kept })
  expect((await change(id, { ...whole, url: moved, description: 'Moved' })).json).toMatchObject({
    ...{ id, url: moved, description: 'Moved', events: null, hasHeaders: false, hasDroppedHeaders: true },
  })
  expect((await change(id, { ...whole, headers: { 'x-tenant': 'two' } })).json).toMatchObject({ url, ...kept })
  expect((await change(id, { ...whole, headers: {} })).json).toMatchObject({
    url,
    description: null,
    hasHeaders: false,
  })
  const incomplete = await change(id, { url })
  expect([incomplete.status, incomplete.json.error]).toEqual([400, 'VALIDATION_ERROR'])
})

test('an endpoint is switched off and on again', async () => {
  const { id } = await add()
  const switched = (isOn: boolean) => call(`/${id}/state`, { method: 'PUT', body: { isOn } })
  expect((await switched(false)).json).toMatchObject({ state: 'off', disabledReason: 'switchedOff' })
  expect((await switched(true)).json).toMatchObject({ state: 'untried', disabledReason: null, disabledAt: null })
})

test('a rotated secret is answered once, with the end of the former one', async () => {
  const { id, secret } = await add()
  const former = await storedSecrets(id)
  const rotated = (await call(`/${id}/rotate`, { body: { graceHours: 2 } })).json
  expect(rotated.secret).not.toBe(secret)
  expect(Date.parse(rotated.formerUntil) - Date.now()).toBeWithin(7_190_000, 7_200_001)
  expect(await storedSecrets(id)).not.toBe(former)
  expect((await call(`/${id}/rotate`, { body: { graceHours: 0 } })).json.formerUntil).toBeNull()
  expect((await call(`/${id}/rotate`, { body: { graceHours: 169 } })).status).toBe(400)
})

test('a removed endpoint is gone', async () => {
  const { id } = await add()
  expect((await call(`/${id}`, { method: 'DELETE' })).json.id).toBe(id)
  expect([(await call(`/${id}`)).status, (await call(`/${id}`, { method: 'DELETE' })).status]).toEqual([404, 404])
})

describe('deliveries', () => {
  let id: string
  let events: readonly string[]
  const failed = outcome(0, { state: 'failed', attempt: { ...outcome(0).attempt, status: 503, answer: 'closed' } })
  /** In a workspace of their own: the endpoints of the other tests are to get no event. */
  let tenant: Tenant
  let owner: Person
  const here = (path: string, init?: CallInit) =>
    owner.call(`/api/v1/workspaces/${tenant.workspaceId}/webhooks${path}`, init)
  let seqs: readonly number[]
  beforeAll(async () => {
    tenant = await gateway.addWorkspace()
    const { workspaceId } = tenant
    owner = await addPerson(gateway, 'admin', workspaceId)
    const { read, write } = gateway.gateway.store
    const contact = { id: newId('contact'), workspaceId, phone: '+15550100200', userId: null }
    const now = Date.now()
    for (const name of ['Ada', 'Ada Lovelace', 'Countess'])
      await write.saveContact({ ...contact, name, createdAt: now, updatedAt: now })
    const told = await read.events({ workspaceId, after: 0, limit: 9 })
    seqs = told.events.map(({ seq }) => seq)
    events = seqs.map(seq => numberedId('evt', workspaceId, seq))
  })
  /** At an endpoint that is off, so that nothing but this is tried: one that arrived, and one that failed. */
  beforeEach(async () => {
    id = (await here('', { body: { url } })).json.id
    await here(`/${id}/state`, { method: 'PUT', body: { isOn: false } })
    const [first = 0, second = 0] = seqs
    const outcomes = [outcome(first), { ...failed, seq: second }]
    await gateway.gateway.store.write.recordAttempts({ endpointId: id, position: second, outcomes })
  })
  const list = async (query: string) => (await here(`/${id}/deliveries${query}`)).json
  const replay = (body: object) => here(`/${id}/replay`, { body })

  test('are listed by state and page, newest first', async () => {
    const { deliveries, next } = await list('')
    const attempts = [{ ...failed.attempt, at: new Date(failed.attempt.at).toISOString() }]
    const newest = {
      eventId: events[1],
      type: 'message.sent',
      state: 'failed',
      attemptCount: 1,
      attempts,
      nextAt: null,
    }
    expect([deliveries, next]).toEqual([
      [newest, expect.objectContaining({ eventId: events[0], state: 'delivered' })],
      null,
    ])
    const lately = ['failed', 'delivered']
    expect((await here('')).json.webhooks).toContainEqual(expect.objectContaining({ id, lately }))
    expect((await here(`/${id}`)).json).toMatchObject({
      lately,
      capacity: { medianMs: expect.any(Number), perSecond: expect.any(Number) },
    })
    expect((await list('?state=delivered')).deliveries).toEqual(deliveries.slice(1))
    expect(await list('?limit=1')).toEqual({ deliveries: [newest], next: events[1] })
    expect(await list(`?limit=1&before=${events[1]}`)).toEqual({ deliveries: deliveries.slice(1), next: null })
    const foreign = numberedId('evt', 'ws_another_workspace', 1)
    expect((await list(`?before=${foreign}`)).details.issues[0].path).toBe('/before')
  })

  test('one has the body, as the list of events has it', async () => {
    const one = await here(`/${id}/deliveries/${events[1]}`)
    const listed = (await gateway.get('/api/v1/public/events', tenant.key)).json.data
    expect(one.json).toMatchObject({ eventId: events[1], state: 'failed', event: listed[1] })
    expect((await here(`/${id}/deliveries/${numberedId('evt', tenant.workspaceId, 9_999)}`)).status).toBe(404)
  })

  test('are made due again: one, those that failed, or all since a time', async () => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const states = async () => (await list('')).deliveries.map(({ state }: { state: string }) => state)
    expect((await replay({ failedSince: since })).json).toEqual({ due: 1 })
    expect(await states()).toEqual(['pending', 'delivered'])
    expect((await replay({ eventId: events[0] })).json).toEqual({ due: 1 })
    expect(await states()).toEqual(['pending', 'pending'])
    expect((await replay({ since })).json).toEqual({ due: 2 })
    for (const [body, path] of [
      [{}, ''],
      [{ since, failedSince: since }, ''],
      [{ since: 'yesterday' }, '/since'],
      [{ eventId: numberedId('evt', 'ws_another_workspace', 1) }, '/eventId'],
    ] as const) {
      const refused = await replay(body)
      expect([refused.status, refused.json.details.issues[0].path]).toEqual([400, path])
    }
    expect((await replay({ eventId: numberedId('evt', tenant.workspaceId, 9_999) })).status).toBe(404)
  })
})

test('a test event is signed and sent at once, also to an endpoint that is off, and its answer is shown', async () => {
  await using receiver = startReceiver()
  const { id, secret } = await add({ url: receiver.url, headers: { 'x-tenant': 'shop' } })
  await call(`/${id}/state`, { method: 'PUT', body: { isOn: false } })
  const sent = await call(`/${id}/test`, { body: { type: 'message.read' } })
  expect(sent.json).toMatchObject({ type: 'message.read', status: 200, error: null, answer: 'taken' })
  const [delivered] = receiver.received
  const data = { message: { status: 'READ' } }
  expect(delivered?.event).toMatchObject({ id: sent.json.eventId, type: 'message.read', data })
  expect(delivered?.id).toStartWith('evt_test')
  const { headers = new Headers(), body = '' } = delivered ?? {}
  const signed = { id: sent.json.eventId, seconds: Number(headers.get('webhook-timestamp')), body }
  expect(Object.fromEntries(headers)).toMatchObject({ ...webhookHeaders([secret], signed), 'x-tenant': 'shop' })
  receiver.answer = () => new Response('closed', { status: 503 })
  expect((await call(`/${id}/test`, { body: {} })).json).toMatchObject({ type: 'message.delivered', status: 503 })
  await receiver.stop()
  expect((await call(`/${id}/test`, { body: {} })).json).toMatchObject({ status: null, error: expect.any(String) })
  expect((await call(`/${id}`)).json).toMatchObject({ deliveredAt: null, failedAt: null })
  expect((await call(`/${id}/deliveries`)).json.deliveries).toEqual([])
})

const tooManyHeaders = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x-${at}`, '']))
test.each<[what: string, body: object, path: string, says: string]>([
  ['an address without TLS', { url: 'http://93.184.216.34/' }, '/url', 'must begin with https://'],
  ['an address with a password', { url: 'https://a:b@example.com/' }, '/url', 'a user name or a password'],
  ['a private address', { url: 'https://10.0.0.5/' }, '/url', 'WEBHOOK_ALLOWED_NETWORKS=10.0.0.5/32'],
  ['one without TLS', { url: 'http://192.168.0.9/' }, '/url', 'waypost listen --forward-to'],
  [
    'this machine, as another address of it',
    { url: 'https://127.0.0.2/' },
    '/url',
    'WEBHOOK_ALLOWED_NETWORKS=127.0.0.2/32',
  ],
  ['no address', { url: 'shop' }, '/url', 'https://'],
  ['a type that does not exist', { url, events: ['message.lost'] }, '/events/0', 'must be one of message'],
  ['no type at all', { url, events: [] }, '/events', ''],
  ['a line of nobody', { url, lineIds: ['line_none'] }, '/lineIds', 'none of this workspace'],
  ['a header that signs', { url, headers: { 'Webhook-Id': '1' } }, '/headers', 'Webhook-Id'],
  ['a header with a line break', { url, headers: { 'x-a': 'b\r\nhost: c' } }, '/headers', 'printable ASCII'],
  ['too many headers', { url, headers: tooManyHeaders }, '/headers', '10'],
])('400 VALIDATION_ERROR: %s is refused, and nothing is stored', async (_, body, path, says) => {
  const { id } = await add()
  const stored = async () => (await call('')).json.webhooks
  const before = await stored()
  for (const answer of [await call('', { body }), await change(id, { ...whole, ...body })]) {
    expect([answer.status, answer.json.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.json.details.issues[0].path).toBe(path)
    expect(answer.json.details.issues[0].message).toContain(says)
  }
  expect(await stored()).toEqual(before)
})

test(`409 CONFLICT: a workspace has at most ${webhooksMax} endpoints`, async () => {
  const { workspaceId } = await gateway.addWorkspace()
  const owner = await addPerson(gateway, 'admin', workspaceId)
  const { write } = gateway.gateway.store
  const one = () => write.addWebhook(webhook({ id: newId('hook'), workspaceId }))
  await Promise.all(Array.from({ length: webhooksMax }, one))
  const refused = await owner.call(`/api/v1/workspaces/${workspaceId}/webhooks`, { body: { url } })
  expect([refused.status, refused.json.error]).toEqual([409, 'CONFLICT'])
})

test('changes are in the audit', async () => {
  const { id } = await add()
  await change(id, { ...whole, description: 'Shop' })
  await call(`/${id}/rotate`, { body: {} })
  await call(`/${id}/state`, { method: 'PUT', body: { isOn: false } })
  await call(`/${id}/state`, { method: 'PUT', body: { isOn: true } })
  await call(`/${id}`, { method: 'DELETE' })
  const { json } = await admin.call(`/api/v1/workspaces/${gateway.workspaceId}/audit?subject=${id}`)
  expect(json.entries.map(({ action, by }: { action: string; by: string }) => [action, by]).toReversed()).toEqual(
    ['add', 'change', 'rotate', 'disable', 'enable', 'remove'].map(verb => [
      `webhook.${verb}`,
      `console:${admin.email}`,
    ]),
  )
})
