import { beforeEach, expect, test } from 'bun:test'
import { dayMs } from '../../src/base/durations.ts'
import { eventually } from '../eventually.ts'
import { freshFixture } from '../fixture.ts'
import { orderTemplate, startTestGateway } from '../gateway.ts'
import { messagesCallback, postCallback } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

/*
 * Campaigns as the page makes and steers them. What batches do is in test/partner/batches.test.ts, and who may do it in
 * roles.test.ts.
 */

const gateway = freshFixture(() => startTestGateway({ env: { SEND_WAIT_MS: '5000' } }))
let member: Person
beforeEach(async () => {
  member = await addPerson(gateway, 'member')
  await gateway.addTemplates(
    { ...orderTemplate, name: 'spring_news', category: 'MARKETING' },
    { ...orderTemplate, name: 'other_news', language: 'de' },
    { ...orderTemplate, name: 'your_order', category: 'UTILITY' },
  )
})

const call = async (path: string, body?: object, method?: string) => {
  const init = { ...(body && { body }), ...(method && { method }) }
  return member.call(`/api/v1/workspaces/${gateway.workspaceId}/${path}`, init)
}
const defaults = { type: 'template', templateName: 'spring_news', templateLanguage: 'en_US' }
const items = (...phones: readonly string[]) =>
  phones.map(phone => ({ phone, templateVariables: { '1': 'Ada', '2': '7' } }))
let lastKey = 0
const make = async (...phones: readonly string[]): Promise<string> => {
  lastKey += 1
  const made = await call('campaigns', {
    name: 'Spring',
    defaults,
    items: items(...phones),
    idempotencyKey: `k${lastKey}`,
  })
  expect([made.status, made.json.error]).toEqual([200, undefined])
  return made.json.id
}
const shown = async (id: string) => (await call(`campaigns/${id}`)).json
const act = (id: string, given: string, fields: object = {}) =>
  call(`campaigns/${id}/state`, { act: given, ...fields }, 'PUT')

/** Somebody writes, and is a contact from then on. */
const writes = (from: string, name: string) => {
  const said = { from, id: `wamid.${from}`, timestamp: `${Math.floor(Date.now() / 1_000)}`, type: 'text' }
  return postCallback(
    `${gateway.url}/callbacks/channel/${gateway.channelId}`,
    messagesCallback({
      contacts: [{ wa_id: from, profile: { name } }],
      messages: [{ ...said, text: { body: 'Hi' } }],
    }),
    gateway.appSecret,
  )
}

test('a draft is made and filled, looked at, left by one, and started at another time; then it is cancelled', async () => {
  const id = await make('+4915112340001', '+4915112340002')
  const more = { offset: 2, items: items('+4915112340003', '+4915112340001') }
  for (const _ of [1, 2]) expect((await call(`campaigns/${id}/items`, more)).json).toEqual({ total: 4 })
  expect(await shown(id)).toMatchObject({
    ...{ state: 'draft', name: 'Spring', total: 4, defaults, counts: { WAITING: 3, SKIPPED: 1 } },
    reasons: [{ status: 'SKIPPED', code: 'DUPLICATE', count: 1 }],
  })
  expect((await call(`campaigns/${id}/items/1/leave-out`, {})).status).toBe(200)
  for (const none of ['9', 'x', '%20', '1.5', '99999999999'])
    expect((await call(`campaigns/${id}/items/${none}/leave-out`, {})).status).toBe(404)
  const past = await act(id, 'start', { sendAt: new Date(Date.now() - 1_000).toISOString() })
  expect([past.status, past.json.details?.issues?.[0]?.path]).toEqual([400, '/sendAt'])
  const sendAt = new Date(Date.now() + dayMs).toISOString()
  for (const _ of [1, 2]) expect((await act(id, 'start', { sendAt })).json).toEqual({ id, state: 'scheduled' })
  expect(await shown(id)).toMatchObject({ state: 'scheduled', sendAt, counts: { WAITING: 2, CANCELLED: 1 } })
  const [listed] = (await call('campaigns')).json.campaigns
  expect(listed).toMatchObject({ id, state: 'scheduled', total: 4, waiting: 2, messages: 0 })
  expect((await act(id, 'cancel')).json.state).toBe('cancelled')
  const paused = await act(id, 'pause')
  expect([paused.status, paused.json.message]).toEqual([409, expect.stringContaining('this one is cancelled')])
  expect((await call('campaigns')).json.campaigns[0]).toMatchObject({
    id,
    state: 'cancelled',
    waiting: null,
    messages: 0,
  })
})

test('its items become messages in nobody’s name but the workspace’s, and are listed and exported', async () => {
  const id = await make('+4915112340011', '+4915112340012', '+4915112340011')
  expect((await act(id, 'start')).json.state).toBe('running')
  await eventually(async () => {
    await gateway.gateway.jobs.trigger('run-batches')
    expect((await shown(id)).state).toBe('done')
  })
  const [listed] = (await call('campaigns')).json.campaigns
  for (const one of [listed, await shown(id)]) expect(one).toMatchObject({ id, total: 3, messages: 2 })
  const sent = (await call(`campaigns/${id}/items?status=SENT`)).json
  expect(sent.items.map(({ number, recipient }: { number: number; recipient: string }) => [number, recipient])).toEqual(
    [
      [0, '+4915112340011'],
      [1, '+4915112340012'],
    ],
  )
  expect((await call(`campaigns/${id}/items?cursor=1`)).json.items).toMatchObject([
    { number: 2, status: 'SKIPPED', reason: { code: 'DUPLICATE' } },
  ])
  const { text, headers } = await call(`campaigns/${id}/items.csv`)
  expect(headers.get('content-type')).toContain('text/csv')
  const [first, ...rows] = text.trim().split('\r\n')
  expect(first).toContain('number,recipient,status')
  expect(rows).toHaveLength(3)
  expect(rows[2]).toContain('SKIPPED')
  expect((await call(`campaigns/${id}/retry`, { dryRun: true })).json).toEqual({ retried: 0, leftOut: 0 })
  expect((await call(`campaigns/${id}/items/0/leave-out`, {})).status).toBe(409)
})

test('who wrote is offered, and who wants no marketing is told before it starts', async () => {
  for (const [from, name] of [
    ['4915112340021', 'Ada'],
    ['4915112340022', 'Grace'],
  ] as const)
    expect((await writes(from, name)).status).toBe(200)
  const { people, next } = (await call('campaign-people?days=7')).json
  expect([people.map(({ name }: { name: string }) => name), next]).toEqual([['Grace', 'Ada'], null])
  await gateway.gateway.store.write.setWish({
    ...{ workspaceId: gateway.workspaceId, contactId: people[1].id, value: 'stop', at: Date.now() },
    source: { kind: 'member', word: null, by: 'Ada' },
  })
  expect((await call('campaign-people?days=7')).json.people[1]).toMatchObject({ name: 'Ada', noMarketing: true })
  expect((await call('contacts', { phone: '+4915112340029', name: 'Ida' })).status).toBe(201)
  const named = async (query: string) =>
    (await call(`campaign-people${query}`)).json.people.map(({ name }: { name: string }) => name)
  expect([await named(''), await named('?never=true'), await named('?days=7')]).toEqual([
    ['Ida', 'Grace', 'Ada'],
    ['Ida'],
    ['Grace', 'Ada'],
  ])
  const id = await make('+4915112340021', '+4915112340022', '+4915112340023')
  expect((await call(`campaigns/${id}/outlook`)).json).toEqual({ optedOut: 1 })
  // The list says it of the same ones.
  const codes = (await call(`campaigns/${id}/items`)).json.items.map(({ reason }: { reason: object | null }) => reason)
  expect(codes).toEqual([expect.objectContaining({ code: 'OPTED_OUT' }), null, null])
})

test('its people are named as the contacts that they are, and so is who made it, in the audit too', async () => {
  expect((await writes('4915112340031', 'Ada')).status).toBe(200)
  const id = await make('+4915112340031', '+4915112340032')
  const [ada, unknown] = (await call(`campaigns/${id}/items`)).json.items
  expect([ada.contact, unknown.contact]).toEqual([{ id: expect.stringMatching(/^contact_/), name: 'Ada' }, null])
  const by = { kind: 'member', id: member.id, name: expect.any(String) }
  expect((await shown(id)).by).toEqual(by)
  expect((await call('campaigns')).json.campaigns[0].by).toEqual(by)
  const admin = await addPerson(gateway, 'admin')
  const entries = (await admin.call(`/api/v1/workspaces/${gateway.workspaceId}/audit?subject=${id}`)).json.entries
  expect(entries).toMatchObject([{ action: 'batch.create', name: 'Spring' }])
})

test('a draft that is opened again shows what its first people will see, each with the values of its own', async () => {
  const [first, second] = items('+4915112340041', '+4915112340042')
  const own = { ...second, templateName: 'other_news', templateLanguage: 'de' }
  const made = await call('campaigns', { defaults, items: [first, own], idempotencyKey: 'preview' })
  const { lineId, people } = (await call(`campaigns/${made.json.id}/preview`)).json
  expect([lineId, people.length]).toEqual([gateway.line.id, 2])
  const values = { templateVariables: { '1': 'Ada', '2': '7' } }
  expect(people[0]).toMatchObject({ recipient: '+4915112340041', contact: null, values })
  expect(people[0].templateId).not.toBe(people[1].templateId)
  const text = { type: 'text', content: 'We are open today.' }
  const said = await call('campaigns', { defaults: text, items: [{ phone: '+4915112340043' }], idempotencyKey: 'text' })
  const [person] = (await call(`campaigns/${said.json.id}/preview`)).json.people
  expect(person).toMatchObject({ templateId: null, text: 'We are open today.' })
})

test('who wants no marketing is counted only where the item is marketing', async () => {
  expect((await writes('4915112340051', 'Ada')).status).toBe(200)
  const [{ id: contactId }] = (await call('campaign-people?days=7')).json.people
  await gateway.gateway.store.write.setWish({
    ...{ workspaceId: gateway.workspaceId, contactId, value: 'stop', at: Date.now() },
    source: { kind: 'member', word: null, by: 'Ada' },
  })
  const [item] = items('+4915112340051')
  const asked = async (own: object, key: string) => {
    const made = await call('campaigns', { defaults, items: [{ ...item, ...own }], idempotencyKey: key })
    return (await call(`campaigns/${made.json.id}/outlook`)).json.optedOut
  }
  expect([await asked({}, 'shared'), await asked({ templateName: 'your_order' }, 'own')]).toEqual([1, 0])

  // Nobody looks at what who gets nothing would see.
  const [none, other] = items('+4915112340051', '+4915112340052')
  const both = await call('campaigns', { defaults, items: [none, other], idempotencyKey: 'both' })
  const { people } = (await call(`campaigns/${both.json.id}/preview`)).json
  expect(people.map(({ recipient }: { recipient: string }) => recipient)).toEqual(['+4915112340052'])
})

test('what is wrong with an item is told by its place, and nothing is made', async () => {
  const before = (await call('campaigns')).json.campaigns.length
  const made = await call('campaigns', { defaults, items: items('+4915112340001', 'nobody'), idempotencyKey: 'wrong' })
  expect([made.status, made.json.details.issues[0].path]).toEqual([400, '/items/1/phone'])
  expect((await call('campaigns')).json.campaigns).toHaveLength(before)
})
