import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { platformTypes } from '../../../src/base/eventTypes.ts'
import { ManualClock } from '../../clock.ts'
import { webhook } from '../../db/fixtures.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'
import { accept, graphError } from '../../upstream.ts'
import { type Asked, failure, graphClient, reached } from './graphClient.ts'

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const gateway = sharedFixture(() => startTestGateway({ clock, env: { GRAPH_API: 'on' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})
let client: ReturnType<typeof graphClient>
let token = ''
let narrow = ''
beforeAll(async () => {
  client = graphClient(gateway)
  token = await client.tokenOf(['graph', 'graph:pass'])
  narrow = await client.tokenOf(['graph', 'messages:send', 'inbound', 'templates:read'])
})
const ask = (path: string, init: Asked = {}) => client.ask(path, { token, ...init })
const post = (path: string, body: unknown, init: Asked = {}) => client.json(path, 'POST', body, { token, ...init })
const line = () => gateway.line.upstreamPhoneId
const succeed = () => Response.json({ success: true })

describe('any other call', () => {
  test.each([
    ['POST', '/LINE/register', { messaging_product: 'whatsapp', pin: '212834' }],
    ['POST', '/LINE/whatsapp_business_profile', { messaging_product: 'whatsapp', about: 'Acme' }],
    ['POST', '/LINE', { new_display_name: 'Acme' }],
    ['POST', '/LINE/deregister', undefined],
    ['GET', '/LINE/message_qrdls/4O4YGZEG3RIVE1?fields=code', undefined],
    ['DELETE', '/LINE/message_qrdls/4O4YGZEG3RIVE1', undefined],
    ['POST', '/LINE/message_qrdls?prefilled_message=Hi&generate_qr_image=SVG', undefined],
    ['GET', '/100001/flows?limit=5', undefined],
    ['GET', '/100001/template_analytics?start=1&end=2&template_ids=[7]', undefined],
    ['GET', '/100001?fields=id,name', undefined],
  ])('%s %s goes on as it was written, and is answered as the platform answers', async (method, path, body) => {
    gateway.upstream.answer = succeed
    const named = path.replace('LINE', line())
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const { status, json } = await ask(`/v23.0${named}`, { method, ...init })
    expect([status, json]).toEqual([200, { success: true }])
    expect(reached(gateway).map(decodeURIComponent)).toEqual([`${method} ${named}`])
    const [sent] = gateway.upstream.received
    expect(sent?.text).toBe(body === undefined ? '' : JSON.stringify(body))
    expect(sent?.headers.get('authorization')).toBe('Bearer access-token')
  })

  test('is 200 for a key without the scope, which is named', async () => {
    const { status, json } = await ask(`/${line()}/register`, { method: 'POST', token: narrow })
    expect([status, json.error.code, json.error.message]).toEqual([
      ...[403, 200],
      '(#200) The API key may not do this: it lacks the scope graph:pass.',
    ])
    expect(failure(await ask('/100001', { token: narrow }))).toBe('403 200')
    expect(reached(gateway)).toEqual([])
  })

  test('takes no callbacks of a line from this gateway', async () => {
    const override_callback_uri = 'https://inbox.example.com/hook'
    const own = `webhook_configuration=${encodeURIComponent(JSON.stringify({ override_callback_uri }))}`
    const answers = [
      await post(`/${line()}`, { webhook_configuration: { override_callback_uri } }),
      await post(`/${line()}`, { Webhook_Configuration: { override_callback_uri } }),
      await post(`/${line()}`, { webhook_configuration: JSON.stringify({ override_callback_uri }) }),
      await ask(`/${line()}?${own}`, { method: 'POST' }),
    ]
    expect(answers.map(failure)).toEqual(['403 10', '400 100', '403 10', '400 100'])
    expect(reached(gateway)).toEqual([])
  })

  test('what the platform refuses comes with its code and words', async () => {
    gateway.upstream.answer = () =>
      graphError(400, { code: 133016, message: '(#133016) Account register deregister rate limit exceeded' })
    const { status, json } = await post(`/${line()}/register`, { pin: '1' })
    expect([status, json.error.code]).toEqual([400, 133016])
  })

  test('an answer with our token in it is handed on to nobody', async () => {
    const next = 'https://graph.facebook.com/v25.0/1/flows?access_token=access-token'
    gateway.upstream.answer = () => Response.json({ flows: { paging: { next } } })
    expect(failure(await ask('/100001?fields=flows'))).toBe('502 131016')
    gateway.upstream.answer = () => Response.json({ data: [], paging: { cursors: { after: 'B' }, next } })
    const { text, json } = await ask('/100001/flows')
    expect(text).not.toContain('access-token')
    expect(json.paging.next).toStartWith(`${gateway.url}/graph/100001/flows?`)
  })
})

describe('of a line', () => {
  test('its profile is read by a key that sends, and written by one that may pass on', async () => {
    gateway.upstream.answer = () => Response.json({ data: [{ about: 'Acme', messaging_product: 'whatsapp' }] })
    const path = `/v23.0/${line()}/whatsapp_business_profile`
    expect((await ask(`${path}?fields=about,websites`, { token: narrow })).json.data[0].about).toBe('Acme')
    expect(failure(await post(path, { about: 'Other' }, { token: narrow }))).toBe('403 200')
    expect(reached(gateway)).toEqual([`GET /${line()}/whatsapp_business_profile?fields=about%2Cwebsites`])
  })

  test('users are blocked, unblocked and listed by a key that reads what they write', async () => {
    gateway.upstream.answer = succeed
    const body = { messaging_product: 'whatsapp', block_users: [{ user: '+4915112345678' }] }
    const path = `/${line()}/block_users`
    for (const method of ['POST', 'DELETE']) await client.json(path, method, body, { token: narrow })
    await ask(`${path}?limit=10&after=A`, { token: narrow })
    expect(reached(gateway)).toEqual([`POST ${path}`, `DELETE ${path}`, `GET ${path}?limit=10&after=A`])
    expect(gateway.upstream.received.map(({ text }) => text)).toEqual([JSON.stringify(body), JSON.stringify(body), ''])
    const sender = await client.tokenOf(['graph', 'messages:send'])
    expect(failure(await post(path, body, { token: sender }))).toBe('403 10')
  })

  test('whom the platform did not block is told with whom it did', async () => {
    const answer = {
      block_users: { added_users: [{ input: '+1', wa_id: '1' }], failed_users: [{ input: '+2' }] },
      error: { message: '(#139100) Failed to block/unblock some users', code: 139100 },
    }
    gateway.upstream.answer = () => Response.json(answer, { status: 400 })
    const { status, json } = await post(`/${line()}/block_users`, { block_users: [] }, { token: narrow })
    expect([status, json]).toEqual([400, answer])
  })

  test('whom the platform has blocked, or unblocked, is noted, as the console shows it; whom it refused is not', async () => {
    const { write, read } = gateway.gateway.store
    const at = Date.now()
    const add = async (id: string, who: { phone: string | null; userId: string | null }) =>
      write.saveContact({ id, workspaceId: gateway.workspaceId, name: null, ...who, createdAt: at, updatedAt: at })
    await add('contact_number', { phone: '+5215512345678', userId: null })
    await add('contact_hidden', { phone: null, userId: 'DE.7' })
    await add('contact_refused', { phone: '+4915112345699', userId: null })
    const blockedOn = async () => {
      const ids = ['contact_number', 'contact_hidden', 'contact_refused']
      return Promise.all(ids.map(async id => (await read.contactById(id))?.blockedOn))
    }
    // The platform writes the number in its own way.
    const users = [
      { input: '+52 55 1234 5678', wa_id: '5215512345678' },
      { input: 'DE.7', user_id: 'DE.7' },
      { input: '+49' },
    ]
    const failed = [{ input: '+4915112345699', wa_id: '4915112345699', errors: [{ code: 131047 }] }]
    const error = { message: '(#139100) Failed to block/unblock users', code: 139100 }
    const path = `/${line()}/block_users`
    const body = { block_users: [{ user: '+49' }] }
    gateway.upstream.answer = () =>
      Response.json({ block_users: { added_users: users, failed_users: failed }, error }, { status: 400 })
    await post(path, body, { token: narrow })
    const own = [gateway.line.id]
    expect(await blockedOn()).toEqual([own, own, []])
    gateway.upstream.answer = () => Response.json({ error }, { status: 400 })
    await client.json(path, 'DELETE', body, { token: narrow })
    expect(await blockedOn()).toEqual([own, own, []])
    gateway.upstream.answer = () => Response.json({ block_users: { removed_users: users.slice(1) } })
    await client.json(path, 'DELETE', body, { token: narrow })
    expect(await blockedOn()).toEqual([own, [], []])
    const [entry] = await read.auditEntries({ subject: 'contact_hidden', limit: 1 })
    expect(entry).toMatchObject({ action: 'contact.unblock', actor: expect.stringMatching(/^key:/) })
  })
})

test('DELETE of subscribed_apps removes the endpoints of its format in the workspace, and the platform hears nothing of it', async () => {
  const other = await gateway.addWorkspace()
  const { read, write } = gateway.gateway.store
  const hook = (id: string, format: 'platform' | 'events', { workspaceId } = { workspaceId: gateway.workspaceId }) =>
    write.addWebhook(webhook({ id, format, workspaceId, types: format === 'platform' ? platformTypes : null }))
  await Promise.all([hook('hook_1', 'platform'), hook('hook_2', 'platform'), hook('hook_3', 'events')])
  await hook('hook_4', 'platform', other)
  const manager = await client.tokenOf(['graph', 'webhooks'])
  const remove = (account: string, by: string) => ask(`/${account}/subscribed_apps`, { method: 'DELETE', token: by })
  expect(failure(await remove('100002', manager))).toBe('400 100')
  expect(failure(await remove('100001', token))).toBe('403 10')
  for (const _twice of [1, 2]) expect((await remove('100001', manager)).json).toEqual({ success: true })
  const left = [...(await read.webhooks(gateway.workspaceId)), ...(await read.webhooks(other.workspaceId))]
  expect(left.map(({ id }) => id)).toEqual(['hook_3', 'hook_4'])
  expect(reached(gateway)).toEqual([])
})

test('a template is read by its id', async () => {
  await gateway.addTemplates({ name: 'plain', upstreamId: '777' })
  gateway.upstream.answer = () => Response.json({ id: '777', status: 'APPROVED' })
  expect((await ask('/777?fields=status', { token: narrow })).json.status).toBe('APPROVED')
  expect(failure(await ask('/777', { token }))).toBe('403 10')
  expect(failure(await ask('/777', { method: 'DELETE' }))).toBe('400 100')
})

test('a template that a client makes is read and changed by its id before the next listing', async () => {
  const writer = await client.tokenOf(['graph', 'templates:read', 'templates:write'])
  const stranger = await client.tokenOf(['graph', 'templates:read'], await gateway.addWorkspace())
  gateway.upstream.listing = () => new Response(null, { status: 503 })
  const made = [
    { id: 900_001, body: { name: 'made', components: [{ type: 'BODY', text: 'Hi' }], parameter_format: 'NAMED' } },
    { id: '900002', body: { name: 'of_library', library_template_name: 'delivery_update_1' } },
  ]
  for (const { id, body } of made) {
    gateway.upstream.answer = () => Response.json({ id, status: 'APPROVED', category: 'UTILITY' })
    const whole = { language: 'en_US', category: 'UTILITY', ...body }
    expect((await post('/100001/message_templates', whole, { token: writer })).json.id).toBe(id)
    gateway.upstream.answer = succeed
    expect((await ask(`/${id}?fields=status`, { token: writer })).json).toEqual({ success: true })
    expect((await post(`/${id}`, { components: [] }, { token: writer })).json).toEqual({ success: true })
    expect(failure(await ask(`/${id}`, { token: stranger }))).toBe('400 100')
  }
  // Of the second nobody knows yet what its send needs.
  const { templates } = gateway.gateway.store.read
  const stored = await templates({ workspaceId: gateway.workspaceId, approved: false })
  expect(stored.filter(({ upstreamId }) => upstreamId.startsWith('90')).map(({ status }) => status)).toEqual([
    ...['APPROVED', 'PENDING'],
  ])
})

describe('what may be much', () => {
  test('a page has at most 1,000 records', async () => {
    const asked: string[] = []
    gateway.upstream.listing = ({ path }) => {
      asked.push(path)
      return Response.json({ data: [] })
    }
    const page = (limit: string) => ask(`/100001/message_templates?limit=${limit}`, { token: narrow })
    for (const limit of ['1001', '5000', '-1', '1e3', '']) {
      const { status, json } = await page(limit)
      expect([status, json.error.code]).toEqual([400, 100])
      expect(json.error.error_data.details).toContain('limit: must be a whole number up to 1000')
    }
    expect((await page('1000')).json).toEqual({ data: [] })
    gateway.upstream.listing = () => graphError(503, { code: 131016 })
    expect(asked).toEqual([expect.stringContaining('/100001/message_templates?limit=1000')])
  })

  test('an answer with more elements than any of the platform is not read', async () => {
    gateway.upstream.answer = () => new Response(`{"data":[${'1,'.repeat(200_000)}1]}`)
    const { status, json } = await ask('/100001/flows')
    expect([status, json.error.code]).toEqual([502, 131016])
  })

  test('a key that may do nothing with an id is told so before anything is looked for', async () => {
    const none = await client.tokenOf(['graph'])
    const { json } = await ask('/777', { token: none })
    expect(json.error.message).toContain('lacks the scope messages:send')
    expect(failure(await ask('/424242', { method: 'DELETE', token: none }))).toBe('403 10')
  })
})

describe('a refused send names the fields as its client wrote them', () => {
  const to = '4915112345678'
  test.each([
    [{ type: 'image', image: { caption: 'A' } }, /^image\.link: is required, unless image\.id is given$/],
    [{ type: 'reaction', reaction: { message_id: 'wamid.a', emoji: 'ab' } }, /^reaction\.emoji: must be one emoji/],
    [{ type: 'text', text: { body: 'Hi' }, context: { message_id: 'msg_0' } }, /^context\.message_id names no message/],
    [{ type: 'image', image: { id: 'media_01jd4v7m9xf5ksxj1q5y8p0c3f' } }, /^image\.id names no file/],
  ])('%j', async (content, words) => {
    const { json } = await post(`/${line()}/messages`, { to, ...content }, { token: narrow })
    expect(json.error.error_data.details).toMatch(words)
  })
})
