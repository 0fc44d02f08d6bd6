import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { sharedFixture } from '../fixture.ts'
import { answerOf, startTestGateway } from '../gateway.ts'
import { authentication } from '../templates/fixtures.ts'
import { userWrites } from './inboundMessages.ts'

/*
 * What callers wrote by mistake elsewhere: a refusal says what is wrong, where, and what to write in its place.
 */

const gateway = sharedFixture(() =>
  startTestGateway({ env: { PUBLIC_IP_RATE_LIMIT: '10000', PUBLIC_API_KEY_RATE_LIMIT: '10000' } }),
)
const phone = '+4915112345678'
const base = '/api/v1/public'
const text = { type: 'text', phone, content: 'Hi' }
beforeAll(async () => {
  await gateway.addTemplates(
    { name: 'verify', category: 'AUTHENTICATION', components: JSON.stringify(authentication.components) },
    { name: 'former', status: 'DELETED' },
  )
  await userWrites(gateway, gateway, {})
})
beforeEach(() => {
  gateway.upstream.received.length = 0
})

/** @returns the problems of a refused call, each as its path and its message */
const problems = ({
  status,
  json,
}: {
  status: number
  json: { details: { issues: { path: string; message: string }[] } }
}) => {
  expect(status).toBe(400)
  return json.details.issues.map(({ path, message }) => `${path} ${message}`)
}
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: readonly (readonly [string, string])[] = [],
  key = gateway.key,
) =>
  answerOf(
    fetch(`${gateway.url}${base}${path}`, {
      method: 'POST',
      headers: [
        ...Object.entries({ ...key, 'content-type': 'application/json' }),
        ...headers.map(each => [...each]),
      ] as [string, string][],
      body,
    }),
  )

describe('a parameter of a query that is not known', () => {
  test.each([
    ['/messages?templatename=a', '/templatename is not a known parameter; did you mean templateName?'],
    ['/messages?contact_id=a', '/contact_id is not a known parameter; did you mean contactId?'],
    ['/events?types=message.read', '/types is not a known parameter; did you mean type?'],
    ['/inbound?contactID=a', '/contactID is not a known parameter; did you mean contactId?'],
    ['/contacts?phone=1&more=1', '/more is not a known parameter: known are phone, userId'],
  ])('is refused in %s', async (path, problem) => {
    expect(problems(await gateway.get(`${base}${path}`))).toContain(problem)
  })

  test.each(['/templates?colour=red', '/messages/none?colour=red'])(
    'is ignored in the contract’s own %s',
    async path => {
      expect((await gateway.get(`${base}${path}`)).status).not.toBe(400)
    },
  )
})

describe('the idempotency key in the header', () => {
  const send = (...keys: readonly string[]) =>
    post(
      '/messages/send',
      JSON.stringify(text),
      keys.map(key => ['Idempotency-Key', key] as const),
    )
  const several =
    '/idempotencyKey is given by several Idempotency-Key headers, or has a comma and a space: send one, or the key in ' +
    'the body'

  test('two different ones are refused, and nothing is sent', async () => {
    expect(problems(await send('first', 'second'))).toEqual([several])
    expect(gateway.upstream.received).toEqual([])
  })

  test('the same one twice is one, and one with a comma stands in the body too', async () => {
    const once = await send('same')
    const twice = await send('same', 'same')
    expect([once.status, twice.status, twice.json.data.id]).toEqual([201, 200, once.json.data.id])
    const body = JSON.stringify({ ...text, idempotencyKey: 'a, b' })
    expect((await post('/messages/send', body, [['Idempotency-Key', 'a, b']])).status).toBe(201)
  })
})

describe('the code of an authentication template', () => {
  const send = (templateVariables: object) =>
    gateway.send({ type: 'template', phone, templateName: 'verify', templateVariables })

  test.each(['1', 'copy_code'])('is filled by %s, in body and button', async key => {
    expect((await send({ [key]: '123456' })).status).toBe(201)
    const [sent] = gateway.upstream.received
    expect(JSON.stringify(sent?.json).match(/"text":"123456"/g)).toHaveLength(2)
  })

  test('is given once', async () => {
    expect(problems(await send({ 1: '1', copy_code: '2' }))).toEqual([
      '/templateVariables/copy_code must not be given together with 1',
    ])
  })
})

describe('a refusal says what to write', () => {
  test('where a template has another name', async () => {
    const said = async (templateName: string) =>
      (await gateway.send({ type: 'template', phone, templateName, templateVariables: {} })).json.message
    const where = 'GET /templates lists all that can be sent.'
    expect(await said('verfiy')).toBe(
      `The chosen line has no template named like templateName; did you mean verify? ${where}`,
    )
    expect(await said('order_ready')).toBe(`The chosen line has no template named like templateName. ${where}`)
    expect(await said('former')).toBe(`The chosen line has no template named like templateName. ${where}`)
  })

  test('in place of the platform’s form', async () => {
    const sent = await gateway.send({ messaging_product: 'whatsapp', to: phone, type: 'text', text: { body: 'Hi' } })
    const unknown = 'is not a known field: the upstream platform'
    expect(problems(sent)).toEqual(
      expect.arrayContaining([
        `/to ${unknown} calls it so; here it is "phone"`,
        `/text ${unknown} calls it so; here it is "content"`,
        `/messaging_product ${unknown} asks for it; here it is not needed`,
      ]),
    )
  })

  test('of a route that there is not: the path, or the method', async () => {
    const said = async (path: string, method: string) =>
      (await answerOf(fetch(`${gateway.url}${base}${path}`, { method, headers: { ...gateway.key } }))).json.message
    expect(await said('/message', 'GET')).toBe('No such route: the path is not known. /docs lists all.')
    expect(await said('/media/', 'GET')).toBe('No such route: the path is not known. /docs lists all.')
    expect(await said('/messages/send', 'PUT')).toStartWith('No such route: this path has ')
    expect(await said('/webhooks/hook_1', 'PATCH')).toBe(
      'No such route: this path has GET, PUT, DELETE, and no PATCH. /docs lists all.',
    )
  })

  test('of a compressed body', async () => {
    const body = gzipSync(JSON.stringify(text))
    const { status, json } = await post('/messages/send', new Uint8Array(body), [['content-encoding', 'gzip']])
    expect([status, json.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(json.message).toBe('The body is compressed: send it as it is, without the header Content-Encoding.')
  })

  test('in our words, and one problem for one mistake', async () => {
    const key = await gateway.createKey({ scopes: ['webhooks'] })
    const hook = (events: unknown) =>
      post('/webhooks', JSON.stringify({ url: 'https://example.com', events }), [], key).then(problems)
    expect(await hook(['message.delivred'])).toEqual([expect.stringMatching(/^\/events\/0 must be one of message\./)])
    expect(await hook('message.read')).toEqual(['/events must be a list or null'])
    expect(problems(await gateway.send({ ...text, content: 7 }))).toEqual(['/content must be a text'])
    expect(problems(await gateway.get(`${base}/messages?since=yesterday&limit=0`))).toEqual([
      '/since must be a time with its zone, such as 2026-03-01T09:30:00Z',
      '/limit must be at least 1',
    ])
  })
})

test('of two fields with one name in a body the last one counts', async () => {
  const body = `{"type":"text","phone":"${phone}","content":"first","content":"last"}`
  expect((await post('/messages/send', body)).status).toBe(201)
  expect(gateway.upstream.received.map(({ json }) => json.text)).toEqual([{ body: 'last' }])
})
