import { beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, type Key, startTestGateway, type Tenant } from '../gateway.ts'

const gateway = sharedFixture(startTestGateway)
let tenant: Tenant
/** The references of all messages, in the order of their sends. */
const sent: string[] = []
const own = '+4915112345678'
const other = '+4915187654321'

beforeAll(async () => {
  tenant = await gateway.addWorkspace()
  const send = async (reference: string, fields: object) => {
    const { status } = await gateway.send({ type: 'text', content: 'Hi', reference, ...fields }, { ...tenant.key })
    expect(status).toBe(201)
    sent.push(reference)
  }
  for (let at = 0; at < 6; at += 1) await send(`order-${at}`, { phone: at % 2 === 0 ? own : other })
  await send('place', { type: 'location', latitude: 1, longitude: 2, content: undefined, phone: own })
  // Of another workspace, to the same number and with the same reference.
  await gateway.send({ type: 'text', content: 'Hi', phone: own, reference: 'order-0' })
})

const ask = (query: Record<string, string> = {}, key: Key = tenant.key): Promise<Answer> =>
  gateway.get(`/api/v1/public/messages?${new URLSearchParams(query)}`, key)
const referencesOf = ({ json }: Answer): string[] => json.data.map(({ reference }: { reference: string }) => reference)

/** @returns the references of all pages, and of each page how many it has */
async function walk(query: Record<string, string>) {
  const found: string[] = []
  const sizes: number[] = []
  for (let after: string | null = null; ; ) {
    const page: Answer = await ask({ ...query, ...(after !== null && { after }) })
    expect(page.status).toBe(200)
    found.push(...referencesOf(page))
    sizes.push(page.json.data.length)
    if (page.json.next === after) return { found, sizes }
    after = page.json.next
  }
}

test('200: newest first, each as its status shows it', async () => {
  const answer = await ask()
  expect(referencesOf(answer)).toEqual(sent.toReversed())
  const [newest] = answer.json.data
  const status = await gateway.get(`/api/v1/public/messages/${newest.id}`, tenant.key)
  expect(newest).toEqual(status.json.data)
})

test.each(['asc', 'desc'])('200: %s, each page begins where the one before ended, and the end stays', async order => {
  const { found, sizes } = await walk({ order, limit: '3' })
  expect(found).toEqual(order === 'asc' ? sent : sent.toReversed())
  expect(sizes.slice(0, 3)).toEqual([3, 3, 1])
})

test('200: at the end of an ascending list, what is sent later comes', async () => {
  const { key } = await gateway.addWorkspace()
  const send = async () => (await gateway.send({ type: 'text', content: 'Hi', phone: other }, { ...key })).json.data.id
  const earlier = await send()
  const { json } = await ask({ order: 'asc', phone: other }, key)
  const later = await send()
  const behind = await ask({ order: 'asc', phone: other, after: json.next }, key)
  expect([json, behind.json].map(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual([[earlier], [later]])
})

describe('200: filters', () => {
  test.each<[query: Record<string, string>, expected: string[]]>([
    [{ reference: 'order-0' }, ['order-0']],
    [{ reference: 'order-9' }, []],
    [{ phone: own }, ['order-0', 'order-2', 'order-4', 'place']],
    [{ phone: own.slice(1), type: 'text' }, ['order-0', 'order-2', 'order-4']],
    [{ type: 'location' }, ['place']],
    [{ type: 'template' }, []],
    [{ templateName: 'order_confirmation' }, []],
    [{ status: 'FAILED' }, []],
    [{ status: 'QUEUED' }, []],
    [{ until: '2020-01-01T00:00:00Z' }, []],
    [{ since: '2020-01-01T00:00:00Z', reference: 'place' }, ['place']],
  ])('%p', async (query, expected) => {
    expect((await walk({ ...query, order: 'asc' })).found).toEqual(expected)
    expect((await walk(query)).found).toEqual(expected.toReversed())
  })

  test('a contact has the messages to its number and its user ids, page by page in one order', async () => {
    const { workspaceId, key } = await gateway.addWorkspace()
    const userId = `DE.${Date.now()}`
    const at = Date.now()
    const id = newId('contact')
    const contact = { id, workspaceId, phone: own, userId, name: null, createdAt: at, updatedAt: at }
    await gateway.gateway.store.write.saveContact(contact)
    for (const [reference, to] of Object.entries({ a: { phone: own }, b: { userId }, c: { phone: other } })) {
      await gateway.send({ type: 'text', content: 'Hi', reference, ...to }, { ...key })
      await gateway.send({ type: 'text', content: 'Hi', reference: `${reference}2`, ...to }, { ...key })
    }
    const pages: string[][] = []
    for (let after: string | null = null; pages.length < 9; ) {
      const page: Answer = await ask({ contactId: id, limit: '1', ...(after !== null && { after }) }, key)
      if (page.json.next === after) break
      pages.push(referencesOf(page))
      after = page.json.next
    }
    expect(pages.flat()).toEqual(['b2', 'b', 'a2', 'a'])
    expect(referencesOf(await ask({ contactId: id, order: 'asc' }, key))).toEqual(['a', 'a2', 'b', 'b2'])
  })
})

test('null is the next of a workspace without messages', async () => {
  const { key } = await gateway.addWorkspace()
  expect((await ask({}, key)).json).toEqual({ success: true, data: [], next: null })
})

describe('400 VALIDATION_ERROR', () => {
  test.each<[query: Record<string, string>, path: string]>([
    [{ phone: 'Ada' }, '/phone'],
    [{ phone: own, contactId: 'contact_1' }, '/phone'],
    [{ status: 'LOST' }, '/status'],
    [{ type: 'poll' }, '/type'],
    [{ since: 'yesterday' }, '/since'],
    [{ limit: '101' }, '/limit'],
    [{ order: 'newest' }, '/order'],
    [{ after: 'pos_1-2-0123456789abcdef' }, '/after'],
    [{ after: '1772357400120.1' }, '/after'],
    [{ reference: '' }, '/reference'],
    [{ templateName: '-' }, '/templateName'],
  ])('%p', async (query, path) => {
    const { status, json } = await ask(query)
    expect([status, json.error, json.details.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  test('a position of another list: of another order, another filter, another workspace', async () => {
    const { next } = (await ask({ limit: '1' })).json
    const foreign = await gateway.addWorkspace()
    for (const answer of [
      await ask({ order: 'asc', after: next }),
      await ask({ type: 'text', after: next }),
      await ask({ after: next }, foreign.key),
    ])
      expect([answer.status, answer.json.details.issues[0].path]).toEqual([400, '/after'])
  })
})

test('404 NOT_FOUND: a contact of another workspace is as none', async () => {
  const { workspaceId, key } = await gateway.addWorkspace()
  const at = Date.now()
  const contact = {
    id: newId('contact'),
    workspaceId,
    phone: own,
    userId: null,
    name: null,
    createdAt: at,
    updatedAt: at,
  }
  await gateway.gateway.store.write.saveContact(contact)
  expect((await ask({ contactId: contact.id }, key)).status).toBe(200)
  const [foreign, unknown] = [await ask({ contactId: contact.id }), await ask({ contactId: newId('contact') })]
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
})
