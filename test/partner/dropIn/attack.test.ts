import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import pino from 'pino'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import { newId } from '../../../src/base/ids.ts'
import type { Logger } from '../../../src/telemetry/log.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, startTestGateway } from '../../gateway.ts'
import { accept } from '../../upstream.ts'
import { type Asked, failure, graphClient, reached, takingFiles } from './graphClient.ts'

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const logged: string[] = []
const log: Logger = pino({ level: 'debug' }, { write: line => void logged.push(line) })
const gateway = sharedFixture(() => startTestGateway({ clock, log, env: { GRAPH_API: 'on', SEND_WAIT_MS: '10000' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})
const mighty = ['graph', 'graph:pass', 'messages:send', 'media', 'inbound', 'templates:write', 'webhooks'] as const
let client: ReturnType<typeof graphClient>
let token = ''
beforeAll(async () => {
  client = graphClient(gateway)
  token = await client.tokenOf(mighty)
})
const ask = (path: string, init: Asked = {}) => client.ask(path, { token, ...init })
const line = () => gateway.line.upstreamPhoneId

const text = { messaging_product: 'whatsapp', to: '4915112345678', type: 'text', text: { body: 'Hello' } }
const post = (body: unknown) =>
  answerOf(
    fetch(`${gateway.url}/graph/${gateway.line.upstreamPhoneId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

test.each([
  // It was sent to `recipient`, and then answered 500: a client that repeats it sends it twice.
  ['an object that is no text', { to: { toString: 1, valueOf: 1 }, recipient: 'US.13491208655302741918' }],
  // It was sent to 4915112345678.
  ['a number with a fraction', { to: 49151123456.78 }],
  ['words that no database keeps', { biz_opaque_callback_data: 'a\0b' }],
  ['half a character', { biz_opaque_callback_data: '\ud800' }],
  ['an id without end', { context: { message_id: `wamid.${'a'.repeat(300)}` } }],
  ['an id that no database keeps', { context: { message_id: 'wamid.\0' } }],
  // It was sent, and answered nothing.
  ['an id that is none', { context: { message_id: { id: 'wamid.abc' } } }],
])('%s is refused, and nothing is sent', async (_what, part) => {
  const { status, json } = await post({ ...text, ...part })
  expect([status, json.error?.code]).toEqual([400, 100])
  expect(gateway.upstream.received).toEqual([])
})

const many = (from: string) => Object.fromEntries(Array.from({ length: 2_900 }, (_, at) => [`${from}${at}`, 1]))

// Each stopped the thread that sends for a tenth of a second; the brackets, for some seconds.
test.each([
  ['fields of a message', { ...text, ...many('a') }],
  ['fields of a text', { type: 'text', text: { body: 'Hello', ...many('a') } }],
  ['fields of a file', { type: 'document', document: { id: '1', ...many('a_b') } }],
  ['fields of a contact', { type: 'contacts', contacts: [{ name: many('a_b') }] }],
  ['brackets in a text', { type: 'interactive', interactive: { type: 'list', action: '['.repeat(60_000) } }],
])('thousands of %s are refused before they are looked at', async (_what, part) => {
  const { status, json } = await post({ ...text, text: undefined, ...part })
  expect([status, json.error?.code]).toEqual([400, 100])
  expect(json.error.error_data.details).toContain('must not have more than')
})

/** Sends what `fetch` would write otherwise. @returns what comes first */
async function written(request: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  const { promise: answered, resolve } = Promise.withResolvers<string>()
  const data = (_socket: unknown, bytes: Buffer) => resolve(bytes.toString())
  const close = () => resolve('')
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data, close } })
  socket.write(`${request}\r\nConnection: close\r\n\r\n`)
  const answer = await answered
  socket.end()
  return answer
}

test.each(['a b', 'a:99999', '[', '', 'a@b', '%'])('a stranger with the host %j is a stranger', async host => {
  const answer = await written(`GET /graph/100001?access_token=x HTTP/1.1\r\nHost: ${host}`)
  expect(answer).toStartWith('HTTP/1.1 401 ')
})

describe('what the token of the gateway may do, its callers may not', () => {
  test('objects of others, and of nobody, do not exist', async () => {
    const other = await gateway.addWorkspace()
    await gateway.addLine({ active: false, upstreamPhoneId: '55' })
    const ids = [other.line.upstreamPhoneId, '100002', '55', '1'.repeat(4_000), 'me', '%00', '1037543291543636']
    for (const id of ids) {
      const calls = [
        ...['GET', 'POST', 'DELETE'].map(method => ask(`/${id}`, { method })),
        ...['register', 'block_users', 'media'].map(edge => ask(`/${id}/${edge}`, { method: 'POST', body: '{}' })),
        ...['flows', 'content', 'subscribed_apps', 'a/b'].map(edge => ask(`/${id}/${edge}`)),
        ask(`/${id}/subscribed_apps`, { method: 'DELETE' }),
      ]
      expect((await Promise.all(calls)).map(failure)).toEqual(calls.map(() => '400 100'))
    }
    expect(reached(gateway)).toEqual([])
  })

  test.each([
    'register/..',
    'register/../../999/flows',
    '..%2f999/flows',
    'register%2Fx',
    'register%3Fmethod=delete',
    'a/b/c',
    'MESSAGES',
    'Subscribed_Apps',
    'messages/x',
    'marketing_messages',
    'media/x',
    'subscribed_apps/x',
    'message_qrdls/a.b',
    '../100001/flows/1',
  ])('%s is passed on by no key', async path => {
    for (const method of ['POST', 'GET']) {
      const head = `${method} /graph/v23.0/${line()}/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}`
      const answer = await written(method === 'POST' ? `${head}\r\nContent-Length: 0` : head)
      // What is left of `register/..` is the line, which a key that sends may read.
      if (path === 'register/..') expect(answer).toStartWith('HTTP/1.1 200 ')
      else expect(answer).toStartWith('HTTP/1.1 400 ')
    }
    expect(reached(gateway).filter(call => !call.endsWith(` /${line()}`))).toEqual([])
  })

  test.each([
    [{ method: 'delete' }],
    [{ Method: 'delete' }],
    [{ 'method[]': 'delete' }],
    [{ access_token: 'x' }],
    [{ batch: [] }],
    [{ ids: '1,2' }],
    [{ fields: 'id,owner_business_info{id}' }],
    [{ fields: ['id'] }],
    [{ fields: 'phone_numbers.limit(9)' }],
    [{ Fields: 'id,owner_business_info{id}' }],
    [[]],
  ])('a body with %j is refused', async part => {
    await gateway.addTemplates({ name: 'plain', upstreamId: '777' })
    const body = Array.isArray(part) ? part : { messaging_product: 'whatsapp', ...part }
    for (const path of [`/${line()}/register`, `/${line()}/block_users`, '/100001/message_templates', '/777'])
      expect(failure(await client.json(path, 'POST', body, { token }))).toBe('400 100')
    expect(reached(gateway)).toEqual([])
  })

  test.each(['method=delete', 'fields=a{b}', 'batch=[]', 'fields=id&fields=a{b}', 'fields[]=a{b}', 'FIELDS=a{b}'])(
    'a change with ?%s is refused',
    async query => {
      for (const path of [`/${line()}/register`, '/100001/message_templates'])
        expect(failure(await ask(`${path}?${query}`, { method: 'POST' }))).toBe('400 100')
      expect(failure(await ask(`/${line()}/register?${query}`))).toBe('400 100')
      expect(reached(gateway)).toEqual([])
    },
  )

  test('a body that is no JSON, or too large, is refused', async () => {
    const asForm = { method: 'POST', body: new URLSearchParams({ method: 'delete' }) }
    expect(failure(await ask(`/${line()}/register`, asForm))).toBe('400 100')
    expect(failure(await ask(`/${line()}/register`, { method: 'POST', body: ' '.repeat(200_000) }))).toBe('413 100')
    expect(reached(gateway)).toEqual([])
  })

  test('of a key that is limited to lines, neither the account nor files of others', async () => {
    const second = await gateway.addLine()
    const id = '1037543291543777'
    gateway.upstream.answer = takingFiles(id)
    await client.upload(token)
    const { url } = (await ask(`/${id}`)).json
    const narrow = await client.tokenOf(
      mighty.filter(scope => scope !== 'webhooks'),
      { lineIds: [second.id] },
    )
    gateway.upstream.received.length = 0
    for (const method of ['GET', 'DELETE'])
      expect(failure(await ask(`/${id}`, { method, token: narrow }))).toBe('400 100')
    expect(failure(await ask(`/${id}/content`, { token: narrow }))).toBe('400 100')
    expect(failure(await ask('/100001/flows', { token: narrow }))).toBe('403 200')
    expect(failure(await ask('/100001', { token: narrow }))).toBe('403 200')
    expect(failure(await client.upload(narrow))).toBe('400 100')
    expect(reached(gateway)).toEqual([])
    expect((await fetch(url)).status).toBe(200)
    // Its address is to be read, for that path alone.
    const link = new URL(url)
    const at = (path: string) => fetch(`${link.origin}${path}${link.search}`, { method: 'DELETE' })
    for (const path of [link.pathname, `/graph/${id}`]) expect((await at(path)).status).toBe(401)
  })

  test('no more calls are under way at once than ten of a workspace', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gateway.upstream.answer = async () => {
      await promise
      return Response.json({ success: true })
    }
    let answered = 0
    // Those that are under way are answered once all others were.
    const calls = Array.from({ length: 30 }, async () => {
      const answer = failure(await ask(`/${line()}/register`, { method: 'POST' }))
      answered += 1
      if (answered === 20) resolve()
      return answer
    })
    const answers = await Promise.all(calls)
    expect(answers.filter(answer => answer === '503 131016').length).toBe(20)
    expect(reached(gateway).length).toBe(10)
  })

  test('a revoked key passes on nothing', async () => {
    const { apiKey, apiSecret } = await gateway.createKey({ scopes: mighty })
    await gateway.gateway.store.write.revokeKey({ keyId: apiKey, at: clock.now() })
    const revoked = graphTokenOf(apiKey, apiSecret)
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(failure(await ask(`/${line()}/register`, { method, token: revoked }))).toBe('401 190')
    expect(reached(gateway)).toEqual([])
  })
})

describe('what the platform answers', () => {
  // It was answered with 500, after what was asked for was done.
  test('too deeply to be written again is not readable', async () => {
    const levels = 200_000
    gateway.upstream.answer = () => new Response(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    expect(failure(await ask(`/${line()}/register`, { method: 'POST' }))).toBe('502 131016')
  })

  test('of the numbers of an account is a list, of which others are left out, or nothing', async () => {
    gateway.upstream.answer = () => Response.json({ data: { id: '999' } })
    expect(failure(await ask('/100001/phone_numbers'))).toBe('502 131016')
  })

  // It was answered with 200: a client that looks at no more took it for done.
  test('with 200 although it refuses is a refusal', async () => {
    gateway.upstream.answer = () => Response.json({ error: { code: 100, message: 'Invalid parameter' } })
    expect(failure(await ask(`/${line()}/register`, { method: 'POST' }))).toBe('400 100')
  })

  test('with a token of ours that has signs, as it stands in an address, is handed on to nobody', async () => {
    const { workspaceId, gateway: running } = gateway
    const channelId = newId('chan')
    const secrets = { accessToken: '1234|secret', appSecret: 'app-secret', verifyToken: 'verify-token' }
    const account = { id: channelId, workspaceId, accountId: '100009', createdAt: 1, updatedAt: 1 }
    await running.store.write.connectChannel({ ...account, ...running.credentials.seal(channelId, secrets) })
    await gateway.addLine({ channelId, number: '+15550000003' })
    const next = `https://graph.facebook.com/v25.0/1/flows?access_token=${encodeURIComponent(secrets.accessToken)}`
    gateway.upstream.answer = () => Response.json({ flows: { paging: { next } } })
    expect(failure(await ask('/100009?fields=flows'))).toBe('502 131016')
  })
})

test('a link does not live on when the clock is set back', async () => {
  gateway.upstream.answer = takingFiles('1037543291543778')
  await client.upload(token)
  const { url } = (await ask('/1037543291543778')).json
  const at = async (setBackMs: number) => {
    clock.set(-setBackMs)
    const { status } = await fetch(url)
    clock.set(setBackMs)
    return status
  }
  expect([await at(1_000), await at(60 * 60_000)]).toEqual([200, 401])
})

test('a key that is revoked while its body comes passes on nothing', async () => {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: mighty })
  const { hostname, port } = new URL(gateway.url)
  const { promise: answered, resolve } = Promise.withResolvers<string>()
  const data = (_socket: unknown, bytes: Buffer) => resolve(bytes.toString())
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
  const authorization = `Authorization: Bearer ${graphTokenOf(apiKey, apiSecret)}`
  const reads = spyOn(gateway.gateway.store.read, 'key')
  socket.write(`POST /graph/${line()}/register HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 2\r\n\r\n{`)
  await eventually(() => expect(reads).toHaveBeenCalledWith(apiKey))
  await reads.mock.results[0]?.value
  reads.mockRestore()
  await gateway.gateway.store.write.revokeKey({ keyId: apiKey, at: clock.now() })
  socket.write('}')
  expect(await answered).toStartWith('HTTP/1.1 401 ')
  expect(reached(gateway)).toEqual([])
  socket.end()
})

test('a token in the path is in no answer, no line of the log and no list of requests', async () => {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: mighty })
  const secret = graphTokenOf(apiKey, apiSecret)
  for (const path of [`/${secret}`, `/v23.0/${secret}/messages`, `/${line()}/${secret}`, `/x${secret}x`])
    for (const given of [token, null])
      expect((await ask(path, { token: given })).text).not.toContain(apiSecret.slice(3))
  await fetch(`${gateway.url}/${secret}`)
  expect(logged.join('')).toContain('/graph/wp_…')
  expect(logged.join('')).not.toContain(apiSecret.slice(3))
  clock.advance(1_000)
  const query = { workspaceId: gateway.workspaceId, outcome: 'refused', before: null, since: 0, scan: 1_000 } as const
  const kept = await eventually(async () => {
    const { requests } = await gateway.gateway.store.read.apiRequests(query)
    expect(requests.filter(({ refusal }) => refusal?.reason === 'NOT_FOUND').length).toBeGreaterThan(0)
    return requests
  })
  expect(JSON.stringify(kept)).not.toContain(apiSecret.slice(3))
})
