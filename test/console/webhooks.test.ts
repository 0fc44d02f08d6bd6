import { beforeEach, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { newId, numberedId } from '../../src/base/ids.ts'
import { outcome } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type Tenant } from '../gateway.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { twoDeliveries } from '../webhooks/twoDeliveries.ts'
import { addPerson, type CallInit, type Person } from './people.ts'

/*
 * What the console adds to endpoints: its form of their answers, and what it shows of their deliveries. Their rules are
 * in test/partner/webhooks.test.ts, who may do what in roles.test.ts.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }))
/** Of each test alone. */
let tenant: Tenant
let admin: Person
beforeEach(async () => {
  tenant = await gateway.addWorkspace()
  admin = await addPerson(gateway, 'admin', tenant.workspaceId)
})

const call = (path: string, init?: CallInit, person = admin) =>
  person.call(`/api/v1/workspaces/${tenant.workspaceId}/webhooks${path}`, init)
const url = 'https://shop.example.com/hook'
const add = async (body: object = {}) => (await call('', { body: { url, ...body } })).json
const put = (path: string, body: object) => call(path, { method: 'PUT', body })
const withDeliveries = () =>
  twoDeliveries(gateway.gateway.store, tenant.workspaceId, async () => {
    return (await put(`/${(await add()).id}/state`, { isOn: false })).json.id
  })

test('a secret is answered once; a viewer sees the rest, how the last events fared, and all types', async () => {
  const viewer = await addPerson(gateway, 'viewer', tenant.workspaceId)
  const tried = await withDeliveries()
  const { secret, ...added } = await add({ headers: { authorization: 'Bearer of-the-shop' } })
  expect([secret, added.hasHeaders]).toEqual([expect.stringMatching(/^whsec_[\w+/=]{44}$/), true])
  const [listed, one, fresh] = await Promise.all(
    ['', `/${tried.id}`, `/${added.id}`].map(path => call(path, undefined, viewer)),
  )
  const { webhooks, eventTypes } = listed?.json ?? {}
  const lately = ['failed', 'delivered']
  expect(webhooks).toEqual([
    expect.objectContaining({ id: tried.id, url, state: 'off', lately }),
    { ...added, lately: [] },
  ])
  expect(eventTypes).toContainEqual({ type: 'message.read', meaning: 'The user opened it.' })
  expect(one?.json).toEqual({ ...webhooks[0], capacity: { medianMs: 5, perSecond: expect.any(Number) } })
  expect(fresh?.json).toEqual({ ...added, lately: [], capacity: null })
  for (const answer of [listed, one, fresh]) expect(answer?.text).not.toMatch(/whsec_|of-the-shop/)
})

test('an endpoint is changed as a whole, switched off and on, gets another secret, and is removed', async () => {
  const { id, secret } = await add({ headers: { 'x-tenant': 'shop' } })
  const whole = { url: 'https://example.org/hook', description: 'Shop', events: ['message.read'], lineIds: null }
  expect((await put(`/${id}`, whole)).json).toMatchObject({ id, ...whole, hasDroppedHeaders: true })
  expect((await put(`/${id}`, { url })).json.details.issues).toHaveLength(3)
  expect((await put(`/${id}/state`, { isOn: false })).json).toMatchObject({ ...whole, state: 'off' })
  expect((await put(`/${id}/state`, { isOn: true })).json).toMatchObject({ state: 'untried', disabledAt: null })
  const rotated = (await call(`/${id}/rotate`, { body: { graceHours: 2 } })).json
  expect(rotated.secret).not.toBe(secret)
  expect(Math.round((Date.parse(rotated.formerUntil) - Date.now()) / hourMs)).toBe(2)
  expect((await call(`/${id}/rotate`, { body: { graceHours: 0 } })).json.formerUntil).toBeNull()
  expect((await call(`/${id}/rotate`, { body: { graceHours: 169 } })).status).toBe(400)
  expect((await call(`/${id}`, { method: 'DELETE' })).json.id).toBe(id)
  expect((await call('')).json.webhooks).toEqual([])
})

test('a delivery names whom and what it is about: the recipient and the words of a message, and a contact', async () => {
  const { write, read } = gateway.gateway.store
  const { workspaceId } = tenant
  const phone = '+15550100300'
  const contact = { workspaceId, phone, userId: null, createdAt: Date.now(), updatedAt: Date.now() }
  await write.saveContact({ ...contact, id: newId('contact'), name: 'Grace' })
  const sent = (await gateway.send({ type: 'text', phone, content: 'hi' }, { ...tenant.key })).json
  const { events } = await read.events({ workspaceId, after: 0, limit: 9 })
  const seq = events.find(({ message }) => message?.id === sent.data.id)?.seq ?? 0
  const { id } = await add()
  await put(`/${id}/state`, { isOn: false })
  await write.recordAttempts({ endpointId: id, position: seq, outcomes: [outcome(seq)] })
  const [delivery] = (await call(`/${id}/deliveries`)).json.deliveries
  expect(delivery.about).toMatchObject({ messageId: sent.data.id, name: 'Grace', words: 'hi' })
  const one = (await call(`/${id}/deliveries/${delivery.eventId}`)).json
  expect(one.about).toEqual(delivery.about)
})

test('deliveries are shown by state and page, one with the event as it is listed, and made due again', async () => {
  const { id, delivered, failed } = await withDeliveries()
  const list = async (query: string) => (await call(`/${id}/deliveries${query}`)).json
  const [older] = (await list(`?limit=1&before=${failed}`)).deliveries
  expect([older.eventId, await list('?state=delivered')]).toEqual([delivered, { deliveries: [older], next: null }])
  expect(older.about).toEqual({
    messageId: null,
    contactId: expect.stringMatching(/^contact_/),
    name: 'Ada Lovelace',
    words: null,
  })
  const events = (await gateway.get('/api/v1/public/events', tenant.key)).json.data
  expect((await call(`/${id}/deliveries/${delivered}`)).json).toEqual({ ...older, event: events[0] })
  for (const eventId of [numberedId('evt', tenant.workspaceId, 9_999), 'evt_none'])
    expect((await call(`/${id}/deliveries/${eventId}`)).status).toBe(404)
  const failedSince = new Date(Date.now() - hourMs).toISOString()
  expect((await call(`/${id}/replay`, { body: { failedSince } })).json).toEqual({ due: 1 })
  expect((await call(`/${id}/replay`, { body: {} })).status).toBe(400)
})

test('an endpoint is sent an example, whose answer is shown', async () => {
  await using receiver = startReceiver()
  const { id } = await add({ url: receiver.url })
  const sent = (await call(`/${id}/test`, { body: { type: 'message.read' } })).json
  expect(sent).toMatchObject({ type: 'message.read', status: 200, error: null, answer: 'taken' })
  expect(receiver.received).toMatchObject([{ id: sent.eventId, event: { type: 'message.read' } }])
  expect((await call(`/${id}/test`, { body: {} })).json.type).toBe('message.delivered')
})

test('of the platform’s format it is asked with the token that is named, and a delivery shows the callback', async () => {
  const tokens: (string | null)[] = []
  await using program = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const { searchParams } = new URL(url)
      tokens.push(searchParams.get('hub.verify_token'))
      return new Response(searchParams.get('hub.challenge'))
    },
  })
  const [at, moved] = ['hook', 'inbox'].map(path => `http://127.0.0.1:${program.port}/${path}`)
  const { id, format } = await add({ url: at, format: 'platform', verifyToken: 'first' })
  const whole = { url: moved, description: null, events: null, lineIds: null }
  expect((await put(`/${id}`, { ...whole, verifyToken: 'second' })).json).toMatchObject(whole)
  expect([format, tokens]).toEqual(['platform', ['first', 'second']])
  await gateway.send({ type: 'text', phone: '+4915112345678', content: 'hi' }, { ...tenant.key })
  const eventId = await eventually(async () => {
    const { deliveries } = (await call(`/${id}/deliveries`)).json
    expect(deliveries).toHaveLength(1)
    return deliveries[0].eventId
  })
  const { event } = (await call(`/${id}/deliveries/${eventId}`)).json
  expect([event.object, event.entry[0].id]).toEqual(['whatsapp_business_account', '100002'])
})

test('400 VALIDATION_ERROR: what a rule or a bound refuses is told by its field', async () => {
  for (const [body, path] of [
    [{ url: 'https://10.0.0.5/' }, '/url'],
    [{ url, events: [] }, '/events'],
  ] as const) {
    const { status, json } = await call('', { body })
    expect([status, json.error, json.details.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  }
})
