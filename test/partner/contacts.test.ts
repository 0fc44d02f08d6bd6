import { beforeAll, describe, expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { platformSource } from '../../src/message/optOut.ts'
import { addContact } from '../../src/operations/contacts.ts'
import { inbound } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway, type Tenant } from '../gateway.ts'
import { timestamp } from '../timestamp.ts'

const phone = '+4915112345678'
const preference = {
  category: 'marketing_messages',
  value: 'stop',
  detail: 'User requested to stop marketing messages',
}

let other: Tenant
/** When the user wrote: whole seconds, as the upstream has them. */
const at = Math.floor(Date.now() / 1000) * 1000 - hourMs
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  other = await gateway.addWorkspace()
  const { write } = gateway.gateway.store
  const from = { phone, userId: null, name: 'Ada', newContactId: 'contact_ada' }
  const { channelId, line } = gateway
  await receive(inbound({ from, at, upstreamPhoneId: line.upstreamPhoneId }))
  await write.keepUpdates({
    channelId,
    updates: [
      {
        kind: 'user_preferences marketing_messages',
        at,
        detail: preference,
        accountId: '100001',
        about: { of: 'contact', phone, userId: null, name: null, newContactId: 'contact_new' },
      },
    ],
    recordedAt: Date.now(),
  })
  const made = { createdAt: at, updatedAt: at }
  const foreign = { id: 'contact_foreign', workspaceId: other.workspaceId, userId: null, name: 'Bob', ...made }
  await write.saveContact({ ...foreign, phone: '+4915100000000' })
})

const receive = (message: ReturnType<typeof inbound>) =>
  gateway.gateway.store.write.recordInbound({
    channelId: gateway.channelId,
    messages: [message],
    recordedAt: Date.now(),
  })
const get = (rest: string) => gateway.get(`/api/v1/public/contacts${rest}`)

const ada = () => {
  const window = { open: true, expiresAt: new Date(at + 24 * hourMs).toISOString() }
  return {
    id: 'contact_ada',
    phone,
    name: 'Ada',
    username: null,
    userId: null,
    blockedOn: [],
    preferences: [{ ...preference, source: platformSource, at: new Date(at).toISOString() }],
    // Another test adds lines.
    window: { ...window, lines: expect.arrayContaining([{ lineId: gateway.line.id, ...window }]) },
    createdAt: timestamp,
    updatedAt: timestamp,
  }
}

describe('200: the contact as it is known now', () => {
  test('by its id', async () => {
    const { status, json } = await get('/contact_ada')
    expect([status, json]).toEqual([200, { success: true, data: ada() }])
  })

  test.each(['%2B4915112345678', '4915112345678', '+49%20151%201234-5678', '٤٩١٥١١٢٣٤٥٦٧٨'])(
    'by its number, written as %s',
    async written => {
      const { status, json } = await get(`?phone=${written}`)
      expect([status, json]).toEqual([200, { success: true, data: ada() }])
    },
  )

  test('its window names each line that can send, also one that it never wrote to', async () => {
    const quiet = await gateway.addLine()
    const inactive = await gateway.addLine({ active: false })
    const { lines } = (await get('/contact_ada')).json.data.window
    expect(lines).toContainEqual({ lineId: quiet.id, open: false, expiresAt: null })
    expect(lines.map(({ lineId }: { lineId: string }) => lineId)).not.toContain(inactive.id)
  })

  test('the id of one that was merged finds the contact that it turned out to be', async () => {
    const { upstreamPhoneId } = gateway.line
    const one = { phone: null, userId: 'DE.7', name: 'Grace', newContactId: 'contact_user' }
    const same = { phone: '+4915177777777', userId: null, name: null, newContactId: 'contact_phone' }
    const both = { ...same, userId: 'DE.7', newContactId: 'contact_none' }
    for (const [n, from] of [one, same, both].entries())
      await receive(inbound({ channelMessageId: `wamid.merge${n}`, from, at: at + n * 1_000, upstreamPhoneId }))
    const answers = await Promise.all(
      ['/contact_user', '/contact_phone', '?phone=4915177777777', '?userId=DE.7'].map(get),
    )
    const [first] = answers
    expect(first?.json.data).toMatchObject({ phone: '+4915177777777', userId: 'DE.7', name: 'Grace' })
    for (const { json } of answers) expect(json).toEqual(first?.json)
  })
})

describe('404 NOT_FOUND', () => {
  test('unknown ids of every shape and a contact of another workspace are answered alike', async () => {
    const unknown = await get(`/${newId('contact')}`)
    expect(unknown.json).toEqual({ error: 'NOT_FOUND', message: 'No contact has this id.' })
    for (const id of ['contact_foreign', 'CONTACT_ADA', 'contact_ada%00', '%27--', '%E0%A4%A', 'x'.repeat(2_000)]) {
      const { status, text } = await get(`/${id}`)
      expect(`${id.slice(0, 40)} ${status} ${text}`).toBe(`${id.slice(0, 40)} 404 ${unknown.text}`)
    }
    expect((await gateway.get('/api/v1/public/contacts/contact_foreign', other.key)).status).toBe(200)
  })

  test('a number that nobody has and one of another workspace are answered alike', async () => {
    const [unknown, foreign] = [await get('?phone=4930999999'), await get('?phone=4915100000000')]
    expect(unknown.json).toEqual({ error: 'NOT_FOUND', message: 'No contact has this number.' })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})

describe('400 VALIDATION_ERROR', () => {
  test.each([
    ['no number', ''],
    ['an empty one', '?phone='],
    ['a number and a user id', '?phone=4915112345678&userId=DE.7'],
    ['two', '?phone=4915112345678&phone=4915112345679'],
    ['a national one', '?phone=015112345678'],
    ['letters', '?phone=ada'],
    ['a very long one', `?phone=${'4'.repeat(5_000)}`],
  ])('%s', async (_, query) => {
    const { status, json, text } = await get(query)
    expect([status, json.error, json.details.issues.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['/phone'],
    ])
    expect(text).not.toContain('15112345678')
  })
})

test('401 UNAUTHORIZED: without a key', async () => {
  for (const rest of ['/contact_ada', '?phone=4915112345678'])
    expect((await gateway.get(`/api/v1/public/contacts${rest}`, { apiKey: 'pk_x', apiSecret: '' })).status).toBe(401)
})

describe('a key with the scope contacts:write', () => {
  const write = async (method: string, path: string, body: object, of: object = {}) => {
    const key = await gateway.createKey({ scopes: ['contacts:write', 'contacts:read'], ...of })
    const headers = { ...key, 'content-type': 'application/json' }
    const url = `${gateway.url}/api/v1/public/contacts${path}`
    return answerOf(fetch(url, { method, headers, body: JSON.stringify(body) }))
  }

  test('adds a contact by its number, once', async () => {
    const added = await write('POST', '', { phone: '+49 151 7777-0000', name: 'Grace' })
    expect(added).toMatchObject({ status: 201, json: { data: { phone: '+4915177770000', name: 'Grace' } } })
    const { id } = added.json.data
    const again = await write('POST', '', { phone: '4915177770000', name: 'Somebody else' })
    expect(again).toMatchObject({ status: 200, json: { data: { id, name: 'Grace' } } })
    expect((await get(`/${id}`)).json).toEqual(again.json)
  })

  test('adds a contact once also where two add it at the same time', async () => {
    // Calls of one key take turns; a member and another key do not wait for them.
    const { workspaceId } = gateway
    const add = (name: string) => addContact(gateway.gateway.store, workspaceId, { phone: '+4915177770001', name })
    const added = await Promise.all([add('Ada'), add('Bea')])
    expect(added).toMatchObject([
      { isNew: true, contact: { name: 'Ada' } },
      { isNew: false, contact: { name: 'Ada' } },
    ])
    expect(new Set(added.map(one => 'contact' in one && one.contact.id)).size).toBe(1)
  })

  test('blocks a person on the lines of the key alone, and unblocks it', async () => {
    const line = await gateway.addLine()
    const from = { phone: '+4915188888888', userId: null, name: 'Eve', newContactId: 'contact_eve' }
    for (const { upstreamPhoneId } of [gateway.line, line])
      await receive(inbound({ from, at, upstreamPhoneId, channelMessageId: `wamid.${upstreamPhoneId}` }))
    const asked: string[] = []
    gateway.upstream.answer = ({ method, path }) => {
      asked.push(`${method} ${path.split('/')[2]}`)
      return Response.json({
        block_users: { [method === 'POST' ? 'added_users' : 'removed_users']: [{ input: '+49' }] },
      })
    }
    const own = { lineIds: [line.id] }
    const set = (blocked: boolean, of = {}) => write('PUT', '/contact_eve/blocked', { blocked }, of)
    expect(await set(true, own)).toMatchObject({ status: 200, json: { data: { blockedOn: [line.id] } } })
    expect(asked).toEqual([`POST ${line.upstreamPhoneId}`])
    const all = await set(true)
    expect(all.json.data.blockedOn.toSorted()).toEqual([gateway.line.id, line.id].toSorted())
    expect(await set(false, own)).toMatchObject({ status: 200, json: { data: { blockedOn: [] } } })
    expect((await get('/contact_eve')).json.data.blockedOn).toEqual([gateway.line.id])
  })

  test('finds nobody of another workspace', async () => {
    const { status, json } = await write('PUT', '/contact_foreign/blocked', { blocked: true })
    expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
  })
})
