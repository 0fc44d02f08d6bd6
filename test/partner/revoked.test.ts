import { afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import { newId, numberedId } from '../../src/base/ids.ts'
import { keyScopes } from '../../src/base/keyScopes.ts'
import { type PartnerCall, partnerOperations } from '../../src/http/calls.ts'
import { dropInOperations } from '../../src/http/dropInCalls.ts'
import { sendingKeyMsMax } from '../../src/partner/caller.ts'
import { ManualClock } from '../clock.ts'
import { inbound } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { type Key, orderTemplate, startTestGateway } from '../gateway.ts'
import { graphClient, png, takingFiles } from './dropIn/graphClient.ts'
import { phone } from './inboundMessages.ts'

/*
 * A key that is revoked while its body comes, or while somebody else is asked on its behalf, has changed nothing. By
 * then the guard has let its call through.
 */

const clock = new ManualClock(Date.now())
const allowed = { MEDIA_ALLOWED_NETWORKS: '127.0.0.1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }
const gateway = sharedFixture(() =>
  startTestGateway({ clock, env: { GRAPH_API: 'on', SEND_WAIT_MS: '10000', ...allowed } }),
)
const client = graphClient(gateway)

/** What answers for the platform, for receivers and for the host of a file: at once, or when the test says so. */
let stranger: ReturnType<typeof Bun.serve>
let asked: string[]
let mayAnswer: Promise<void>
let letAnswer: () => void
let webhookId = ''
let inboundId = ''
let uploadedId = ''
/** Of an upload of an example, which was begun. */
let exampleId = ''

const slowly = async <Answer>(path: string, answer: Answer): Promise<Answer> => {
  asked.push(path)
  await mayAnswer
  return answer
}
const at = (path: string) => `http://127.0.0.1:${stranger.port}${path}`
const file = () => new Response(png, { headers: { 'content-type': 'image/png' } })

beforeAll(async () => {
  stranger = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      return slowly(
        pathname,
        request.method === 'HEAD' || pathname.endsWith('.png')
          ? file()
          : new Response(searchParams.get('hub.challenge')),
      )
    },
  })
  stranger.unref()
  gateway.upstream.answer = takingFiles('88')
  await gateway.addTemplates({ ...orderTemplate, upstreamId: '777' })
  const { store } = gateway.gateway
  const { workspaceId, channelId } = gateway
  const { upstreamPhoneId } = gateway.line
  const from = { phone, userId: null, name: 'Ada', newContactId: newId('contact') }
  const written = inbound({ channelMessageId: 'wamid.user', from, at: clock.now(), upstreamPhoneId })
  await store.write.recordInbound({ channelId, messages: [written], recordedAt: clock.now() })
  const { messages } = await store.read.inboundMessages({ workspaceId, after: 0, limit: 1, scan: 1 })
  inboundId = numberedId('inb', workspaceId, messages[0]?.seq ?? 0)
  mayAnswer = Promise.resolve()
  asked = []
  const token = await client.tokenOf(keyScopes)
  const body = { override_callback_uri: at('/known') }
  expect((await client.json('/100001/subscribed_apps', 'POST', body, { token })).status).toBe(200)
  webhookId = (await store.read.webhooks(workspaceId))[0]?.id ?? ''
  await store.write.changeWebhook({ endpointId: webhookId, isOn: false, at: clock.now() })
  uploadedId = (await client.upload(token)).json.id
  gateway.upstream.answer = () => Response.json({ id: 'upload:MTph?sig=ARZ' })
  const example = { file_length: 1_000, file_type: 'image/png' }
  exampleId = (await client.json('/app/uploads', 'POST', example, { token })).json.id
})

beforeEach(() => {
  asked = []
  ;({ promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>())
  gateway.upstream.answer = request => slowly(request.path, takingFiles('89')(request))
})
afterEach(() => letAnswer())

/** Everything that a call could have changed. */
async function state() {
  const { read } = gateway.gateway.store
  const { workspaceId } = gateway
  return {
    webhooks: await read.webhooks(workspaceId),
    batches: await read.batches({ workspaceId, after: null, limit: 9 }),
    messages: await gateway.messages(),
    files: await read.storedBytes({ after: '', limit: 1_000 }),
    uploaded: await read.file({
      workspaceId,
      fileId: (await read.media({ lineId: gateway.line.id, link: uploadedId, format: 'id', at: 0 })) ?? '',
    }),
  }
}

/** How a call is asked: its path, and its body. */
interface Call {
  readonly path: string
  readonly body: object | FormData
}
const text = { phone: '+4915112345678', type: 'text', content: 'Hello' }
const graphText = { messaging_product: 'whatsapp', to: '4915112345678', type: 'text', text: { body: 'Hello' } }
const form = () => {
  const body = new FormData()
  body.set('file', new Blob([png]), 'box.png')
  return body
}
const line = () => gateway.line.upstreamPhoneId
const api = (path: string, body: Call['body'] = {}): Call => ({ path: `/api/v1/public${path}`, body })
const graph = (path: string, body: Call['body'] = {}): Call => ({ path: `/graph/v23.0${path}`, body })

/** Each call that is no read, but those that have no body: they are done before a slow one could come. */
const calls: Partial<Record<PartnerCall, () => readonly Call[]>> = {
  'POST /messages/send': () => [api('/messages/send', text), api('/messages/send', { ...text, type: 'none' })],
  'PATCH /messages/:messageId': () => [api('/messages/msg_none', { sendAt: '2026-03-01T09:00:00Z' })],
  'POST /messages/check': () => [api('/messages/check', text)],
  'POST /inbound/:inboundId/read': () => [api(`/inbound/${inboundId}/read`)],
  'POST /media': () => [api('/media', form())],
  'POST /batches': () => [api('/batches', { idempotencyKey: 'news', items: [text] })],
  'POST /batches/:batchId/items': () => [api('/batches/batch_1/items', { offset: 0, items: [text] })],
  'POST /batches/:batchId/start': () => [api('/batches/batch_1/start')],
  'POST /batches/:batchId/retry': () => [api('/batches/batch_1/retry')],
  'POST /contacts': () => [api('/contacts', { phone: '+4915112121212' })],
  'PUT /contacts/:contactId/blocked': () => [api('/contacts/contact_ada/blocked', { blocked: true })],
  'PUT /contacts/:contactId/preferences': () => [
    api('/contacts/contact_ada/preferences', { category: 'marketing_messages', value: 'stop' }),
  ],
  'POST /webhooks': () => [
    api('/webhooks', { url: at('/new') }),
    api('/webhooks', { url: at('/new'), format: 'platform' }),
  ],
  'PUT /webhooks/:webhookId': () => [api(`/webhooks/${webhookId}`, { description: 'New' })],
  'POST /webhooks/:webhookId/rotate': () => [api(`/webhooks/${webhookId}/rotate`)],
  'POST /webhooks/:webhookId/test': () => [api(`/webhooks/${webhookId}/test`)],
  'POST /webhooks/:webhookId/replay': () => [api(`/webhooks/${webhookId}/replay`, { since: '2026-01-01T00:00:00Z' })],
  'POST /graph/:line/messages': () => [
    graph(`/${line()}/messages`, graphText),
    graph(`/${line()}/messages`, { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.user' }),
  ],
  'POST /graph/:id': () => [
    graph(`/${line()}`, { webhook_configuration: { override_callback_uri: at('/line') } }),
    graph(`/${line()}`, { webhook_configuration: { override_callback_uri: '' } }),
    graph('/777', { category: 'MARKETING' }),
  ],
  'DELETE /graph/:id': () => [graph(`/${uploadedId}`)],
  'POST /graph/:line/block_users': () => [graph(`/${line()}/block_users`, { block_users: [{ user: phone }] })],
  'DELETE /graph/:line/block_users': () => [graph(`/${line()}/block_users`, { block_users: [{ user: phone }] })],
  'POST /graph/:account/message_templates': () => [graph('/100001/message_templates', { name: 'new' })],
  'DELETE /graph/:account/message_templates': () => [
    graph('/100001/message_templates', { name: 'order_confirmation' }),
  ],
  'POST /graph/:account/subscribed_apps': () => [
    graph('/100001/subscribed_apps', { override_callback_uri: at('/app') }),
  ],
  'DELETE /graph/:account/subscribed_apps': () => [graph('/100001/subscribed_apps')],
  'POST /graph/:line/media': () => [graph(`/${line()}/media`, form())],
  'POST /graph/:app/uploads': () => [graph('/app/uploads', { file_length: 1, file_type: 'image/png' })],
  'POST /graph/upload:id': () => [graph(`/${exampleId}`, { bytes: 'of any kind' })],
  'another call of /graph': () => [graph(`/${line()}/register`, { pin: '123456' })],
}
const bodiless: readonly PartnerCall[] = [
  'DELETE /messages/:messageId',
  'DELETE /webhooks/:webhookId',
  'DELETE /batches/:batchId/items/:number',
  'POST /batches/:batchId/pause',
  'POST /batches/:batchId/resume',
  'POST /batches/:batchId/cancel',
]

test('every call that is no read is tried', () => {
  const all = [...Object.values(partnerOperations), ...Object.values(dropInOperations)].map(({ call }) => call)
  const changes = all.filter(call => !call.startsWith('GET ') && !bodiless.includes(call))
  expect(Object.keys(calls).sort()).toEqual(changes.toSorted())
})

const methodOf = (call: string) => (call.startsWith('another') ? 'POST' : (call.split(' ')[0] ?? ''))

/** A key that has sent, so that what decides on its sends is kept. */
async function sendingKey(): Promise<Key> {
  const key = await gateway.createKey({ scopes: keyScopes })
  letAnswer()
  expect((await gateway.send(text, { ...key })).status).toBe(201)
  asked = []
  ;({ promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>())
  return key
}

/** Begins a call; its guard has let it through once this resolves, and all but the last byte of its body is there. */
async function begin(key: Key, method: string, { path, body }: Call) {
  const isForm = body instanceof FormData
  const request = new Request('http://x', { method: 'POST', body: isForm ? body : JSON.stringify(body) })
  const contentType = isForm ? request.headers.get('content-type') : 'application/json'
  const bytes = Buffer.from(await request.arrayBuffer())
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    ...(path.startsWith('/graph')
      ? [`Authorization: Bearer ${graphTokenOf(key.apiKey, key.apiSecret)}`]
      : [`apikey: ${key.apiKey}`, `apisecret: ${key.apiSecret}`]),
    `Content-Type: ${contentType}`,
    `Content-Length: ${bytes.length}`,
  ].join('\r\n')
  const { promise: answered, resolve } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(gateway.url)
  const data = (_: unknown, answer: Buffer) => resolve(answer.toString())
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } })
  const { read } = gateway.gateway.store
  const guards = [spyOn(read, 'key'), spyOn(read, 'sendingKey')]
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes.subarray(0, -1)]))
  await eventually(() => expect(guards.flatMap(({ mock }) => mock.results)).not.toBeEmpty())
  await Promise.all(guards.flatMap(({ mock }) => mock.results.map(({ value }) => value)))
  for (const guard of guards) guard.mockRestore()
  return {
    end: () => socket.write(bytes.subarray(-1)),
    answer: async () => {
      const [, code = ''] = (await answered).split(' ')
      socket.end()
      return code
    },
  }
}

const revoke = ({ apiKey }: Key) => gateway.gateway.store.write.revokeKey({ keyId: apiKey, at: clock.now() })

describe.each(Object.entries(calls))('%s', (call, cases) => {
  test('of a key that is revoked while its body comes is refused, and has done nothing', async () => {
    for (const one of cases()) {
      const key = await sendingKey()
      const before = await state()
      const begun = await begin(key, methodOf(call), one)
      await revoke(key)
      clock.advance(sendingKeyMsMax + 1)
      begun.end()
      expect(await begun.answer()).toBe('401')
      expect(asked).toEqual([])
      expect(await state()).toEqual(before)
    }
  })
})

/** What is still to be done once a stranger has answered. */
const behindStrangers: readonly (readonly [call: string, of: () => Call])[] = [
  ['POST /webhooks', () => api('/webhooks', { url: at('/new'), format: 'platform' })],
  ['PUT /webhooks/:webhookId', () => api(`/webhooks/${webhookId}`, { url: at('/moved') })],
  ['POST /graph/:account/subscribed_apps', () => graph('/100001/subscribed_apps', { override_callback_uri: at('/a') })],
  ['POST /graph/:id', () => graph(`/${line()}`, { webhook_configuration: { override_callback_uri: at('/line') } })],
  ['DELETE /graph/:id', () => graph(`/${uploadedId}`)],
  ['POST /graph/:line/media', () => graph(`/${line()}/media`, form())],
  ['POST /messages/send', () => api('/messages/send', { phone, type: 'image', link: at(`/${newId('media')}.png`) })],
  [
    'POST /graph/:line/messages',
    () =>
      graph(`/${line()}/messages`, {
        messaging_product: 'whatsapp',
        to: phone,
        type: 'image',
        image: { link: at(`/${newId('media')}.png`) },
      }),
  ],
]

test.each(behindStrangers)('%s of a key that is revoked while somebody else is asked', async (call, of) => {
  const key = await sendingKey()
  const before = await state()
  const begun = await begin(key, methodOf(call), of())
  begun.end()
  await eventually(() => expect(asked).toHaveLength(1))
  await revoke(key)
  letAnswer()
  expect(await begun.answer()).toBe('401')
  expect(await state()).toEqual(before)
})
