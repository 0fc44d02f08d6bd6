import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sha256 } from '../../src/base/crypto.ts'
import { newId, newKeyId, newKeySecret } from '../../src/base/ids.ts'
import { sharedFixture } from '../fixture.ts'
import { orderTemplate, startTestGateway } from '../gateway.ts'
import { openFile } from '../openFile.ts'

const sendPath = '/api/v1/public/messages/send'
const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

const gateway = sharedFixture(startTestGateway)
const other = sharedFixture(() => gateway.addWorkspace())

/** Everything of an answer that a caller can see, but for what differs by nature. */
async function seen(path: string, init: RequestInit = {}) {
  const response = await fetch(gateway.url + path, init)
  const headers = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name)).sort()
  return { status: response.status, headers, body: await response.text() }
}

const unauthorized = { error: 'UNAUTHORIZED', message: 'Send a valid pair of apiKey and apiSecret headers.' }

describe('401 UNAUTHORIZED', () => {
  const refused: readonly [name: string, headers: () => Record<string, string> | [string, string][]][] = [
    ['no headers', () => ({})],
    ['only the id', () => ({ apiKey: gateway.key.apiKey })],
    ['only the secret', () => ({ apiSecret: gateway.key.apiSecret })],
    ['both empty', () => ({ apiKey: '', apiSecret: '' })],
    ['an empty secret', () => ({ apiKey: gateway.key.apiKey, apiSecret: '' })],
    ['an empty id', () => ({ apiKey: '', apiSecret: gateway.key.apiSecret })],
    ['a wrong secret', () => ({ apiKey: gateway.key.apiKey, apiSecret: newKeySecret() })],
    ['an unknown id', () => ({ apiKey: newKeyId(), apiSecret: gateway.key.apiSecret })],
    ['the secret of another workspace', () => ({ apiKey: gateway.key.apiKey, apiSecret: other.key.apiSecret })],
    ['the id of another workspace', () => ({ apiKey: other.key.apiKey, apiSecret: gateway.key.apiSecret })],
    ['id and secret exchanged', () => ({ apiKey: gateway.key.apiSecret, apiSecret: gateway.key.apiKey })],
    ['the stored hash as secret', () => ({ apiKey: gateway.key.apiKey, apiSecret: sha256(gateway.key.apiSecret) })],
    ['a secret cut short', () => ({ apiKey: gateway.key.apiKey, apiSecret: gateway.key.apiSecret.slice(0, -1) })],
    ['a secret in lower case', () => ({ apiKey: gateway.key.apiKey, apiSecret: gateway.key.apiSecret.toLowerCase() })],
    ['an id of 129 characters', () => ({ apiKey: 'p'.repeat(129), apiSecret: gateway.key.apiSecret })],
    ['a secret of 8000 characters', () => ({ apiKey: gateway.key.apiKey, apiSecret: 's'.repeat(8_000) })],
    ['a secret with letters outside ASCII', () => ({ apiKey: gateway.key.apiKey, apiSecret: 'sk_\u00e9\u00fc' })],
    ['a wildcard of SQL', () => ({ apiKey: 'pk_%', apiSecret: gateway.key.apiSecret })],
    [
      'the header twice',
      () => [
        ['apiKey', gateway.key.apiKey],
        ['apiKey', gateway.key.apiKey],
        ['apiSecret', gateway.key.apiSecret],
      ],
    ],
  ]

  test.each(refused)('%s is answered like any other refusal, byte for byte, on every route', async (_, headers) => {
    const routes: readonly [path: string, method: string][] = [
      ['/api/v1/public/templates', 'GET'],
      [`/api/v1/public/messages/${newId('msg')}`, 'GET'],
      [sendPath, 'POST'],
      ['/api/v1/public/inbound', 'GET'],
      ['/api/v1/public/inbound/inb_0/read', 'POST'],
      ['/api/v1/public/contacts?phone=1', 'GET'],
      ['/api/v1/public/no-such-route', 'GET'],
    ]
    for (const [path, method] of routes) {
      const answer = await seen(path, { method, headers: headers() })
      expect(answer).toEqual(await seen('/api/v1/public/templates'))
      expect(answer.status).toBe(401)
      expect(JSON.parse(answer.body)).toEqual(unauthorized)
    }
  })

  test('who signs in with a token is told that there is none, whatever it is', async () => {
    for (const token of [gateway.key.apiSecret, 'none']) {
      const { status, body } = await seen('/api/v1/public/templates', { headers: { authorization: `Bearer ${token}` } })
      expect([status, JSON.parse(body).message]).toEqual([
        401,
        `${unauthorized.message} This API has no Authorization header and no token.`,
      ])
    }
  })

  test('no operation of the API document is open to a stranger', async () => {
    const { paths } = (await gateway.get('/docs/json')).json as { paths: Record<string, Record<string, unknown>> }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => [path.replace('{messageId}', newId('msg')), method.toUpperCase()] as const),
    )
    expect(operations.length).toBeGreaterThanOrEqual(3)
    for (const [path, method] of operations)
      expect([method, path, (await seen(path, { method })).status]).toEqual([method, path, 401])
  })

  const unread: readonly [name: string, headers: Record<string, string>, body: string][] = [
    ['broken JSON', { 'content-type': 'application/json' }, '{"type":'],
    ['a body over 128 KiB', { 'content-type': 'application/json' }, ' '.repeat(131_073)],
    ['another content type', { 'content-type': 'text/plain' }, 'hello'],
    ['a malformed send', { 'content-type': 'application/json' }, '{"tempate":1}'],
    ['a good send', { 'content-type': 'application/json' }, JSON.stringify(text)],
  ]
  test.each(unread)('a wrong secret is refused before the body is read: %s', async (_, headers, body) => {
    const before = { stored: await gateway.messages(), sent: gateway.upstream.received.length }
    const answer = await seen(sendPath, {
      method: 'POST',
      headers: { ...headers, apiKey: gateway.key.apiKey, apiSecret: newKeySecret() },
      body,
    })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body)).toEqual(unauthorized)
    expect({ stored: await gateway.messages(), sent: gateway.upstream.received.length }).toEqual(before)
  })
})

describe('the headers of a key', () => {
  const accepted: readonly [name: string, id: string, secret: string][] = [
    ['as the contract names them', 'apiKey', 'apiSecret'],
    ['their alternatives', 'X-API-Key', 'X-API-Secret'],
    ['the id by its alternative', 'X-API-Key', 'apiSecret'],
    ['the secret by its alternative', 'apiKey', 'X-API-Secret'],
    ['in another case', 'APIKEY', 'x-api-secret'],
  ]
  test.each(accepted)('200: %s', async (_, id, secret) => {
    const { apiKey, apiSecret } = gateway.key
    const answer = await seen('/api/v1/public/templates', { headers: { [id]: apiKey, [secret]: apiSecret } })
    expect(answer.status).toBe(200)
  })

  test.each([
    ['apiKey', 'apiSecret', 'X-API-Key', 'X-API-Secret'],
    ['X-API-Key', 'X-API-Secret', 'apiKey', 'apiSecret'],
  ])('200: an empty %s or %s beside the alternative is as if absent', async (emptyId, emptySecret, id, secret) => {
    const { apiKey, apiSecret } = gateway.key
    const headers = { [emptyId]: '', [emptySecret]: '', [id]: apiKey, [secret]: apiSecret }
    expect((await seen('/api/v1/public/templates', { headers })).status).toBe(200)
  })

  test('200: a workspace may have several keys', async () => {
    const second = await gateway.createKey()
    expect((await gateway.get('/api/v1/public/templates')).status).toBe(200)
    expect((await gateway.get('/api/v1/public/templates', second)).status).toBe(200)
  })
})

describe('revocation', () => {
  test('401 UNAUTHORIZED: a key revoked by another connection stops at the very next request', async () => {
    const key = await gateway.createKey()
    expect((await gateway.get('/api/v1/public/templates', key)).status).toBe(200)
    const beside = await openFile(join(gateway.dataDir, 'waypost.db'))
    await beside.write.revokeKey({ keyId: key.apiKey, at: Date.now() })
    const answer = await gateway.get('/api/v1/public/templates', key)
    await beside.close()
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual(unauthorized)
    const wrong = await seen('/api/v1/public/templates')
    expect(await seen('/api/v1/public/templates', { headers: { ...key } })).toEqual(wrong)
    expect((await gateway.get('/api/v1/public/templates')).status).toBe(200)
  })
})

describe('what belongs to another workspace looks like what does not exist', () => {
  test('404 NOT_FOUND: a message', async () => {
    const sent = await gateway.send(text, { ...other.key })
    expect(sent.status).toBe(201)
    const foreign = await seen(`/api/v1/public/messages/${sent.json.data.id}`, { headers: { ...gateway.key } })
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await seen(`/api/v1/public/messages/${newId('msg')}`, { headers: { ...gateway.key } }))
    expect((await gateway.get(`/api/v1/public/messages/${sent.json.data.id}`, other.key)).status).toBe(200)
  })

  test.each([
    ['404 NOT_FOUND', 'a contact', 404, () => ({ ...text, phone: undefined, contactId: foreignContact })],
    ['400 PHONE_NUMBER_NOT_FOUND', 'a line', 400, () => ({ ...text, phoneNumberId: other.line.id })],
    [
      '404 NOT_FOUND',
      'a template',
      404,
      () => ({ type: 'template', phone: text.phone, templateName: 'order_confirmation', templateVariables: {} }),
    ],
  ])('%s: %s', async (code, _, status, body) => {
    const before = await gateway.messages()
    const foreign = await gateway.send(body())
    const unknown = await gateway.send({
      ...body(),
      ...('contactId' in body() && { contactId: newId('contact') }),
      ...('phoneNumberId' in body() && { phoneNumberId: newId('line') }),
      ...('templateName' in body() && { templateName: 'no_such_template' }),
    })
    expect(foreign.status).toBe(status)
    expect(`${foreign.status} ${foreign.json.error}`).toBe(code)
    expect(foreign.text).toBe(unknown.text)
    expect(await gateway.messages()).toEqual(before)
  })

  const foreignContact = newId('contact')
  beforeAll(async () => {
    const { store } = gateway.gateway
    const at = Date.now()
    const { workspaceId, channelId } = other
    await store.write.saveContact({
      id: foreignContact,
      workspaceId,
      phone: '+4915112345670',
      name: 'Grace',
      userId: null,
      createdAt: at,
      updatedAt: at,
    })
    await store.write.replaceTemplates({
      channelId,
      at,
      recordedAt: at,
      templates: [
        {
          id: newId('tpl'),
          channelId,
          upstreamId: '1',
          category: 'UTILITY',
          status: 'APPROVED',
          parameterFormat: 'POSITIONAL',
          updatedAt: at,
          lastUpdateAt: null,
          ...orderTemplate,
        },
      ],
    })
  })
})
