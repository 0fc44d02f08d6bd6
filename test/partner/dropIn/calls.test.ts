import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import type { KeyScope } from '../../../src/base/keyScopes.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { type Answer, answerOf, orderTemplate, startTestGateway } from '../../gateway.ts'
import { accept, graphError } from '../../upstream.ts'

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const gateway = sharedFixture(() => startTestGateway({ clock, env: { GRAPH_API: 'on', SEND_WAIT_MS: '10000' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
  delete gateway.upstream.listing
})

const allScopes: readonly KeyScope[] = [
  'graph',
  'messages:send',
  'templates:read',
  'templates:write',
  'inbound',
  'media',
]

async function tokenOf(scopes: readonly KeyScope[] = allScopes, lineIds: readonly string[] | null = null) {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes, lineIds })
  return graphTokenOf(apiKey, apiSecret)
}
let token = ''
beforeAll(async () => {
  token = await tokenOf()
})

const ask = (path: string, init: RequestInit & { token?: string | null } = {}): Promise<Answer> => {
  const { token: given = token, headers, ...rest } = init
  const authorization = given === null ? {} : { authorization: `Bearer ${given}` }
  return answerOf(fetch(`${gateway.url}/graph${path}`, { ...rest, headers: { ...authorization, ...headers } }))
}
const post = (body: unknown, init: RequestInit & { token?: string | null } = {}, version = '/v23.0') =>
  ask(`${version}/${gateway.line.upstreamPhoneId}/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
  })
const text = { messaging_product: 'whatsapp', to: '4915112345678', type: 'text', text: { body: 'Hello' } }
/** The first bytes of a picture say what it is. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const failure = ({ status, json }: Answer) => `${status} ${json.error?.code}`

describe('a send', () => {
  test.each([
    ['with a version', '/v13.0'],
    ['with the newest', '/v26.0'],
    ['without a version', ''],
  ])('%s is answered as the platform answers it, with its id', async (_how, version) => {
    const { status, json } = await post(text, {}, version)
    expect(status).toBe(200)
    expect(json).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: '4915112345678', wa_id: '4915112345678' }],
      messages: [{ id: expect.stringMatching(/^wamid\.test\d+$/) }],
    })
    // Without the `+` the platform would put the country code of the line in front.
    expect(gateway.upstream.received.map(({ json: sent }) => sent.to)).toEqual(['+4915112345678'])
  })

  test('as clients write it: context and components that are empty, a policy, words of their own', async () => {
    await gateway.addTemplates({ ...orderTemplate, name: 'plain', components: '[{"type":"BODY","text":"Hi"}]' })
    const template = { name: 'plain', language: { policy: 'deterministic', code: 'en_US' }, components: [] }
    const body = {
      ...text,
      type: 'template',
      text: undefined,
      template,
      context: null,
      biz_opaque_callback_data: 'a 1',
    }
    const { status, json } = await post(body)
    expect(status).toBe(200)
    expect(json.messages).toEqual([{ id: expect.any(String), message_status: 'accepted' }])
    const [{ reference } = { reference: null }] = await gateway.messages()
    expect(reference).toBe('a 1')
  })

  test('a number in `to` is read as by the partner API', async () => {
    const { status, json } = await post({ ...text, to: '\u200e+49 151 1234\u20115678' })
    expect([status, json.contacts[0].wa_id]).toEqual([200, '4915112345678'])
    expect(gateway.upstream.received[0]?.json.to).toBe('+4915112345678')
    const refused = await post({ ...text, to: '0049 151 12345678' })
    expect(refused.json.error.error_data.details).toContain('to: begins with 00')
  })

  test('a user id in `to` goes where the platform delivers it', async () => {
    const { status, json } = await post({ ...text, to: 'US.13491208655302741918' })
    expect([status, json.contacts]).toEqual([
      200,
      [{ input: 'US.13491208655302741918', user_id: 'US.13491208655302741918' }],
    ])
    const [sent] = gateway.upstream.received
    expect([sent?.json.to, sent?.json.recipient]).toEqual([undefined, 'US.13491208655302741918'])
  })

  test.each([
    [{ type: 'image', image: { id: '1037543291543636', caption: 'A' } }],
    [{ type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Acme' } }],
    [{ type: 'reaction', reaction: { message_id: 'wamid.abc', emoji: '👍' } }],
    [{ type: 'contacts', contacts: [{ name: { formatted_name: 'Ada L', first_name: 'Ada' } }] }],
    [
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Yes?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
        },
      },
    ],
  ])('%j reaches the platform as it was written', async content => {
    const { status } = await post({ messaging_product: 'whatsapp', to: text.to, ...content })
    expect(status).toBe(200)
    expect(gateway.upstream.received[0]?.json).toMatchObject(content as Record<string, unknown>)
  })

  test('the same key is one message, and another body with it is refused', async () => {
    const headers = { 'idempotency-key': 'graph-1' }
    const [first, again] = [await post(text, { headers }), await post(text, { headers })]
    expect(again.json.messages).toEqual(first.json.messages)
    expect(gateway.upstream.received.length).toBe(1)
    expect(failure(await post({ ...text, text: { body: 'Other' } }, { headers }))).toBe('409 100')
  })

  test('an answer that does not come in time has an id of ours, by which the message can be answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gateway.upstream.answer = async request => {
      await promise
      return accept(request)
    }
    const answering = post(text)
    await eventually(() => expect(gateway.upstream.received.length).toBe(1))
    clock.advance(10_000)
    const { status, json } = await answering
    resolve()
    const { id } = json.messages[0]
    expect([status, id]).toEqual([200, expect.stringMatching(/^wamid\.[A-Za-z0-9+/]+=*$/)])
    const [message] = await gateway.messages()
    gateway.upstream.answer = accept
    await eventually(async () => expect((await gateway.messages())[0]?.channelMessageId).not.toBeNull())
    await post({ ...text, context: { message_id: id } })
    const known = (await gateway.messages()).find(each => each.id === message?.id)?.channelMessageId
    expect(gateway.upstream.received.at(-1)?.json.context).toEqual({ message_id: known })
  })

  test('what the platform refuses comes with its code, words and trace', async () => {
    gateway.upstream.answer = () =>
      graphError(400, { message: '(#131030) Not in the list', code: 131030, error_data: { details: 'Add the number' } })
    const { status, json } = await post(text)
    expect([status, json.error]).toEqual([
      400,
      {
        message: '(#131030) Not in the list',
        type: 'OAuthException',
        code: 131030,
        error_data: { messaging_product: 'whatsapp', details: 'Add the number' },
        fbtrace_id: 'trace-1',
      },
    ])
  })

  test.each([
    ['an unknown type', { ...text, type: 'fax' }, '400 100'],
    ['no recipient', { ...text, to: undefined }, '400 100'],
    ['a group', { ...text, recipient_type: 'group' }, '400 100'],
    ['a text without its text', { ...text, text: undefined }, '400 100'],
    [
      'an unknown template',
      { ...text, text: null, type: 'template', template: { name: 'none', language: { code: 'en' } } },
      '404 132001',
    ],
    ['a list in place of an object', [], '400 100'],
  ])('%s is refused with the code of the platform, and nothing is sent', async (_what, body, expected) => {
    expect(failure(await post(body))).toBe(expected)
    expect(gateway.upstream.received).toEqual([])
  })
})

describe('who may', () => {
  test.each([
    ['no token', null, '401 190'],
    ['a token that is none', 'EAAB', '401 190'],
    ['a wrong secret', 'wp_abc_def', '401 190'],
  ])('%s: 190', async (_who, given, expected) => {
    const answer = await post(text, { token: given })
    expect(failure(answer)).toBe(expected)
    expect(answer.text).not.toContain('apiKey')
  })

  test('all problems of a send come at once', async () => {
    const { json } = await post({ ...text, to: '+1', text: undefined })
    expect(json.error.error_data.details).toMatch(/^to: .+; text: /)
  })

  test.each([[['messages:send']], [['graph', 'messages:read']]] as const)(
    'a key of %j may not send: 10',
    async (scopes: readonly KeyScope[]) => {
      expect(failure(await post(text, { token: await tokenOf(scopes) }))).toBe('403 10')
    },
  )

  test('addresses of callbacks are told to no key that does not manage them: 10', async () => {
    expect(failure(await ask('/v23.0/100001/subscribed_apps'))).toBe('403 10')
  })

  test('the token in the address works too, and a revoked key ends it', async () => {
    const { apiKey, apiSecret } = await gateway.createKey({ scopes: allScopes })
    const given = graphTokenOf(apiKey, apiSecret)
    const path = `/v14.0/debug_token?input_token=${given}&access_token=${given}&appsecret_proof=x`
    expect((await ask(path, { token: null })).json.data.is_valid).toBe(true)
    await gateway.gateway.store.write.revokeKey({ keyId: apiKey, at: clock.now() })
    expect(failure(await ask(path, { token: null }))).toBe('401 190')
  })

  test("another workspace's line, one that the key has not, and our own id of a line do not exist", async () => {
    const other = await gateway.addWorkspace()
    const second = await gateway.addLine()
    const narrow = await tokenOf(allScopes, [gateway.line.id])
    const asked = [other.line.upstreamPhoneId, second.upstreamPhoneId, gateway.line.id]
    const answers = await Promise.all(
      asked.map(line => ask(`/v23.0/${line}/messages`, { method: 'POST', body: JSON.stringify(text), token: narrow })),
    )
    expect(answers.map(failure)).toEqual(['400 100', '400 100', '400 100'])
    expect(answers.map(({ json }) => json.error.error_subcode)).toEqual([33, 33, 33])
  })

  test('a version that is none, and a path without an id, are refused', async () => {
    const { upstreamPhoneId } = gateway.line
    const answers = [
      await ask(`/V23.0/${upstreamPhoneId}`),
      await ask(`/v99.0/${upstreamPhoneId}/messages`, { method: 'POST', body: JSON.stringify(text) }),
      await ask('/v23.0'),
    ]
    expect(answers.map(failure)).toEqual(['400 100', '400 100', '400 100'])
  })
})

describe('a template', () => {
  const json = { 'content-type': 'application/json' }

  test('is created, changed and deleted at the platform by a key that may', async () => {
    await gateway.addTemplates({ ...orderTemplate, upstreamId: '777' })
    gateway.upstream.answer = () => Response.json({ success: true })
    const body = JSON.stringify({ name: 'new', language: 'en_US', category: 'UTILITY', components: [] })
    const answers = [
      await ask('/v14.0/100001/message_templates', { method: 'POST', headers: json, body }),
      await ask('/v14.0/777', { method: 'POST', headers: json, body: '{"components":[]}' }),
      await ask('/v14.0/100001/message_templates?name=new', { method: 'DELETE' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(gateway.upstream.received.map(({ method, path }) => `${method} ${path.replace(/^\/v[\d.]+/, '')}`)).toEqual([
      'POST /100001/message_templates',
      'POST /777',
      'DELETE /100001/message_templates?name=new',
    ])
    expect(gateway.upstream.received[0]?.text).toBe(body)
  })

  test('is changed by no key that may not, and none of another account is', async () => {
    const reader = await tokenOf(['graph', 'templates:read'])
    const init = { method: 'POST', headers: json, body: '{}' }
    expect(failure(await ask('/100001/message_templates', { ...init, token: reader }))).toBe('403 10')
    expect(failure(await ask('/100002/message_templates', init))).toBe('400 100')
    expect(failure(await ask('/424242', init))).toBe('400 100')
    expect(gateway.upstream.received).toEqual([])
  })
})

test('an upload gives the id of the platform, by the bytes of the file, whatever the form says beside it', async () => {
  gateway.upstream.answer = request =>
    request.path.endsWith('/media') ? Response.json({ id: '1037543291543636' }) : accept(request)
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('typeFile', 'application/octet-stream')
  form.set('file', new Blob([png]), '')
  const path = `/v20.0/${gateway.line.upstreamPhoneId}/media?messaging_product=whatsapp`
  const { status, json } = await ask(path, { method: 'POST', body: form })
  expect([status, json]).toEqual([200, { id: '1037543291543636' }])
  const [sent] = gateway.upstream.received
  expect(sent?.text).toContain('image/png')
  expect((await post({ ...text, type: 'image', text: undefined, image: json })).status).toBe(200)
})

test('a file of the workspace is fetched by the address that its description gives, with and without a token', async () => {
  const form = new FormData()
  form.set('file', new Blob([png]), 'box.png')
  const headers = { ...(await gateway.createKey()) }
  const kept = await answerOf(fetch(`${gateway.url}/api/v1/public/media`, { method: 'POST', body: form, headers }))
  const { id } = kept.json.data
  const described = await ask(`/v13.0/${id}?phone_number_id=${gateway.line.upstreamPhoneId}`)
  expect(described.json).toEqual({
    ...{ messaging_product: 'whatsapp', id, mime_type: 'image/png', file_size: png.length },
    sha256: new Bun.CryptoHasher('sha256').update(png).digest('hex'),
    url: expect.stringContaining(`${gateway.url}/graph/v13.0/${id}/content?access_token=`),
  })
  const { url } = described.json
  const bearer = { headers: { authorization: `Bearer ${token}`, 'user-agent': 'Googlebot' } }
  for (const init of [{}, bearer]) expect(await (await fetch(url, init)).bytes()).toEqual(new Uint8Array(png))
  const elsewhere = new URL(String(url).replace('v13.0', 'v14.0'))
  expect((await fetch(elsewhere)).status).toBe(401)
  const stranger = await gateway.createKey({
    scopes: allScopes,
    workspaceId: (await gateway.addWorkspace()).workspaceId,
  })
  expect(failure(await ask(`/${id}`, { token: graphTokenOf(stranger.apiKey, stranger.apiSecret) }))).toBe('400 100')
})

test('a message of a user is marked as read, with the sign that an answer is written', async () => {
  gateway.upstream.answer = () => Response.json({ success: true })
  const mark = {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: 'wamid.in',
    typing_indicator: { type: 'text' },
  }
  const { status, json } = await post(mark)
  expect([status, json]).toEqual([200, { success: true }])
  expect(gateway.upstream.received[0]?.json).toEqual(mark)
  expect(failure(await post(mark, { token: await tokenOf(['graph', 'messages:send']) }))).toBe('403 10')
})

describe('a read', () => {
  test("the platform's page of templates comes with addresses of ours, which work without a header for that path alone", async () => {
    const asked: string[] = []
    gateway.upstream.listing = ({ path }) => {
      // The gateway reads its templates by itself, with fields.
      if (!path.includes('fields=')) asked.push(path)
      const next = 'https://graph.facebook.com/v25.0/100001/message_templates?access_token=access-token&after=B'
      return Response.json({ data: [{ name: 'plain' }], paging: { cursors: { before: 'A', after: 'B' }, next } })
    }
    const first = await ask(`/v14.0/100001/message_templates?limit=1&access_token=${token}`, { token: null })
    expect([first.status, first.json.data]).toEqual([200, [{ name: 'plain' }]])
    const { next } = first.json.paging
    expect(next).toStartWith(`${gateway.url}/graph/v14.0/100001/message_templates?`)
    expect(first.text).not.toContain('access-token')
    expect(first.text).not.toContain(token)
    clock.advance(4 * 60_000)
    const second = await answerOf(fetch(next))
    expect(second.status).toBe(200)
    expect(asked.map(path => new URL(path, 'http://upstream').search)).toEqual(['?limit=1', '?limit=1&after=B'])
    expect((await fetch(next, { method: 'DELETE' })).status).toBe(401)
    const elsewhere = String(next).replace('message_templates', 'phone_numbers')
    expect((await fetch(elsewhere)).status).toBe(401)
    clock.advance(60_000)
    // A page that was reached by an address leads no further than that one would have.
    for (const late of [next, second.json.paging.next]) expect((await fetch(late)).status).toBe(401)
  })

  test.each([190, 10])('%i of the platform, about our token, does not tell a client to give up its own', async code => {
    gateway.upstream.answer = () => graphError(401, { message: 'Error validating access token', code })
    expect(failure(await ask(`/${gateway.line.upstreamPhoneId}`))).toBe('502 131016')
  })

  test('of the numbers of an account, those of the caller are shown', async () => {
    gateway.upstream.answer = () =>
      Response.json({ data: [{ id: gateway.line.upstreamPhoneId, display_phone_number: '+1' }, { id: '999' }] })
    const { json } = await ask('/100001/phone_numbers?fields=display_phone_number&limit=100')
    expect(json).toEqual({ data: [{ id: gateway.line.upstreamPhoneId, display_phone_number: '+1' }] })
    expect(failure(await ask('/v17.0/100002/phone_numbers'))).toBe('400 100')
  })

  test('nothing but names of fields, filters and pages goes on: the platform takes more in a query than its page says', async () => {
    gateway.upstream.answer = () => Response.json({ id: gateway.line.upstreamPhoneId })
    const { upstreamPhoneId } = gateway.line
    expect((await ask(`/${upstreamPhoneId}?fields=id,status&method=delete&ids=1&batch=x`)).status).toBe(200)
    expect(gateway.upstream.received[0]?.path).toEndWith(`/${upstreamPhoneId}?fields=id%2Cstatus`)
    expect(failure(await ask(`/${upstreamPhoneId}?fields=whatsapp_business_account{owner}`))).toBe('400 100')
  })

  test('of a line, the fields that the client asks for, with our token', async () => {
    gateway.upstream.answer = () => Response.json({ id: gateway.line.upstreamPhoneId, verified_name: 'Acme' })
    const { json } = await ask(`/v17.0/${gateway.line.upstreamPhoneId}?fields=verified_name`)
    expect(json.verified_name).toBe('Acme')
    const [sent] = gateway.upstream.received
    expect(sent?.path).toEndWith(`/${gateway.line.upstreamPhoneId}?fields=verified_name`)
    expect(sent?.headers.get('authorization')).toBe('Bearer access-token')
  })
})
