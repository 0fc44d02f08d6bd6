import { beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import { callbackUrl, status } from '../../callbacks/report.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, startTestGateway } from '../../gateway.ts'
import { ownToken, peers, userToken, wamid } from '../../message/wamids.ts'
import { accept, messagesCallback, postCallback } from '../../upstream.ts'

/*
 * A client of the platform that has its callbacks and its files from here: what it is told, it finds by the drop-in API.
 */

const gateway = sharedFixture(() =>
  startTestGateway({ env: { GRAPH_API: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } }),
)
let token = ''
let address = ''
const asked: string[] = []

/** What a program reads of a callback. */
interface Told {
  readonly statuses?: readonly {
    readonly id: string
    readonly status: string
    readonly biz_opaque_callback_data?: string
  }[]
  readonly messages?: readonly { readonly id: string; readonly image?: { readonly id: string } }[]
}
const told: Told[] = []
beforeAll(async () => {
  const { apiKey, apiSecret } = await gateway.createKey({
    scopes: ['graph', 'messages:send', 'inbound', 'media', 'webhooks'],
  })
  token = graphTokenOf(apiKey, apiSecret)
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const challenge = searchParams.get('hub.challenge')
      if (challenge !== null) {
        if (pathname === '/hook') asked.push(searchParams.get('hub.verify_token') ?? '')
        return new Response(challenge)
      }
      told.push(JSON.parse(await request.text()).entry[0].changes[0].value)
      return new Response()
    },
  })
  receiver.unref()
  address = `http://127.0.0.1:${receiver.port}/hook`
  const added = await subscribe({ override_callback_uri: address, verify_token: 'its own' })
  expect(added.json).toEqual({ success: true })
})

const ask = (path: string, init: RequestInit = {}) =>
  answerOf(fetch(`${gateway.url}/graph/v23.0/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } }))
const subscribe = (body: object) => ask('100001/subscribed_apps', { method: 'POST', body: JSON.stringify(body) })
const callback = (value: object) => postCallback(callbackUrl(gateway), messagesCallback(value), gateway.appSecret)

test('the id of the answer and its own words come back with each status', async () => {
  const sent = await ask(`${gateway.line.upstreamPhoneId}/messages`, {
    method: 'POST',
    body: JSON.stringify({ to: '4915112345678', text: { body: 'Hello' }, biz_opaque_callback_data: 'order 7' }),
  })
  const { id } = sent.json.messages[0]
  await callback({ statuses: [status(id, 'delivered')] })
  // Other tests send too, and have endpoints; what is told may come twice.
  const words = () => {
    const own = told.flatMap(each => each.statuses ?? []).filter(each => each.id === id)
    return new Set(own.map(each => `${each.status} ${each.biz_opaque_callback_data}`))
  }
  await eventually(() => expect(words()).toEqual(new Set(['sent order 7', 'delivered order 7'])))
})

test('an address is verified once, and told; a second time it is the same', async () => {
  expect((await subscribe({ override_callback_uri: address, verify_token: 'another' })).json).toEqual({ success: true })
  expect((await subscribe({})).json).toEqual({ success: true })
  expect(asked).toEqual(['its own'])
  expect((await ask('100001/subscribed_apps')).json).toEqual({
    data: [{ whatsapp_business_api_data: { id: '100001', name: 'Waypost' }, override_callback_uri: address }],
  })
  const refused = [
    await subscribe({ override_callback_uri: 'http://127.0.0.1:1/nobody' }),
    await ask('100002/subscribed_apps'),
  ]
  expect(refused.map(({ status: code, json }) => `${code} ${json.error.code}`)).toEqual(['400 100', '400 100'])
  expect(refused.map(({ json }) => json.error.error_data.details)).toEqual([
    expect.stringMatching(/^override_callback_uri: the receiver was asked/),
    expect.stringContaining('have the ids of the platform'),
  ])
})

test('an endpoint that gets other types alone is not one that a subscription asks for', async () => {
  const own = `${address}/alerts`
  const made = async () =>
    (await gateway.gateway.store.read.webhooks(gateway.workspaceId)).filter(({ url }) => url === own)
  await subscribe({ override_callback_uri: own })
  const [first] = await made()
  await gateway.gateway.store.write.changeWebhook({
    endpointId: first?.id ?? '',
    types: ['channel.alert'],
    at: Date.now(),
  })
  expect((await subscribe({ override_callback_uri: own })).json).toEqual({ success: true })
  const all = await made()
  for (const { id } of all) await gateway.gateway.store.write.removeWebhook({ endpointId: id, at: Date.now() })
  expect(all).toHaveLength(2)
})

test('the address of one line is an endpoint of that line, and the platform is not told of it', async () => {
  const own = `${address}/line`
  const other = await gateway.addLine()
  const configure = (given: object, { upstreamPhoneId } = gateway.line) =>
    ask(upstreamPhoneId, { method: 'POST', body: JSON.stringify({ webhook_configuration: given }) })
  const endpoints = async () =>
    (await gateway.gateway.store.read.webhooks(gateway.workspaceId)).filter(({ url }) => url === own)
  const before = gateway.upstream.received.length
  for (const _ of ['once', 'twice'])
    expect((await configure({ override_callback_uri: own, verify_token: 'of it' })).json).toEqual({ success: true })
  expect((await endpoints()).map(({ lineIds }) => lineIds)).toEqual([[gateway.line.id]])
  // Another line that has the same address is told there as well.
  expect((await configure({ override_callback_uri: own }, other)).json).toEqual({ success: true })
  expect((await endpoints()).map(({ lineIds }) => lineIds)).toEqual([[gateway.line.id], [other.id]])
  expect((await configure({ override_callback_uri: '' }, other)).json).toEqual({ success: true })
  expect((await endpoints()).map(({ lineIds }) => lineIds)).toEqual([[gateway.line.id]])
  expect((await configure({ override_callback_uri: '' })).json).toEqual({ success: true })
  expect(await endpoints()).toEqual([])
  expect(gateway.upstream.received).toHaveLength(before)
})

describe('of receivers that take their time', () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: mayRefuse, resolve: letRefuse } = Promise.withResolvers<void>()
  const challenges: string[] = []
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname, searchParams } = new URL(url)
      challenges.push(pathname)
      const isWrong = searchParams.get('hub.verify_token') === 'wrong'
      if (isWrong) await mayRefuse
      else if (!pathname.startsWith('/same')) await promise
      return new Response(isWrong ? 'no' : (searchParams.get('hub.challenge') ?? ''))
    },
  })
  receiver.unref()
  const at = (path: string, more: object = {}) =>
    subscribe({ override_callback_uri: `http://127.0.0.1:${receiver.port}${path}`, ...more })

  test('one that is named several times at once is asked once, and is one endpoint', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => at('/same')))
    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ success: true })))
    expect(challenges.filter(path => path === '/same')).toEqual(['/same'])
    const { webhooks } = gateway.gateway.store.read
    const made = (await webhooks(gateway.workspaceId)).filter(({ url }) => url.endsWith('/same'))
    for (const { id } of made) await gateway.gateway.store.write.removeWebhook({ endpointId: id, at: Date.now() })
    expect(made).toHaveLength(1)
  })

  test('one that is named with a wrong token and a right one at once is one endpoint', async () => {
    const { key, webhooks } = gateway.gateway.store.read
    const wrong = at('/sameToken', { verify_token: 'wrong' })
    await eventually(() => expect(challenges).toContain('/sameToken'))
    // Once the key is known to hold behind the body, nothing is waited for but the other call.
    const looks = spyOn(gateway.gateway.store.read, 'key').mockImplementation(key)
    const right = ['right', 'right', 'other'].map(verify_token => at('/sameToken', { verify_token }))
    await eventually(() => expect(looks.mock.results).toHaveLength(6))
    await Promise.all(looks.mock.results.map(({ value }) => value))
    await new Promise(setImmediate)
    looks.mockRestore()
    letRefuse()
    expect((await wrong).status).toBe(400)
    expect((await Promise.all(right)).map(({ json }) => json)).toEqual(right.map(() => ({ success: true })))
    const made = (await webhooks(gateway.workspaceId)).filter(({ url }) => url.endsWith('/sameToken'))
    for (const { id } of made) await gateway.gateway.store.write.removeWebhook({ endpointId: id, at: Date.now() })
    expect(made).toHaveLength(1)
  })

  test('ten of a workspace are asked at once, and no more', async () => {
    const answered: number[] = []
    const asks = Array.from({ length: 12 }, async (_, index) => answered.push((await at(`/slow${index}`)).status))
    await eventually(() => expect(answered).toEqual([503, 503]))
    await eventually(() => expect(challenges.filter(path => path.startsWith('/slow'))).toHaveLength(10))
    resolve()
    await Promise.all(asks)
    expect(answered.filter(code => code === 200)).toHaveLength(10)
    const { webhooks } = gateway.gateway.store.read
    const made = (await webhooks(gateway.workspaceId)).filter(({ url }) => url.includes('/slow'))
    for (const { id } of made) await gateway.gateway.store.write.removeWebhook({ endpointId: id, at: Date.now() })
  })
})

test('a file of a user has the id by which it is described here', async () => {
  const image = { id: '1479537139650973', mime_type: 'image/jpeg', sha256: 'c2hh', caption: 'Look' }
  const message = { from: '4915112345678', id: 'wamid.file', timestamp: '1749416383', type: 'image', image }
  await callback({ contacts: [{ profile: { name: 'Ada' }, wa_id: '4915112345678' }], messages: [message] })
  const edit = { original_message_id: 'wamid.file', message: { type: 'image', image } }
  const { from, timestamp } = message
  await callback({ messages: [{ from, id: 'wamid.edit', timestamp, type: 'edit', edit }] })
  const shown = (id: string) => told.flatMap(({ messages = [] }) => messages).find(one => one.id === id)
  await eventually(() => expect([shown('wamid.file'), shown('wamid.edit')]).not.toContain(undefined))
  const photo = { ...image, caption: undefined, file_name: 'a.jpg' }
  const form = (id: string) => JSON.stringify({ name: 'Ada', photo_picker: [{ ...photo, id }] })
  const reply = (json: string) => ({ type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: json } })
  const answer = { from, timestamp, type: 'interactive', interactive: reply(form(image.id)) }
  await callback({ messages: [{ ...answer, id: 'wamid.form' }] })
  await eventually(() => expect(shown('wamid.form')).toBeDefined())
  const [, ofForm = ''] = /"(media_[0-9a-z]{26})"/.exec(JSON.stringify(shown('wamid.form')).replaceAll('\\', '')) ?? []
  expect<unknown>(shown('wamid.form')).toEqual({ ...answer, id: 'wamid.form', interactive: reply(form(ofForm)) })
  expect((await gateway.gateway.store.read.file({ workspaceId: gateway.workspaceId, fileId: ofForm }))?.state).toBe(
    'pending',
  )
  const ours = { ...image, id: expect.stringMatching(/^media_/) }
  expect<unknown>(shown('wamid.file')).toEqual({ ...message, image: ours })
  expect(shown('wamid.edit')).toMatchObject({ edit: { ...edit, message: { type: 'image', image: ours } } })
  const id = shown('wamid.file')?.image?.id ?? ''
  await gateway.gateway.store.write.keepFile({ fileId: id, bytes: 1, mimeType: 'image/jpeg' })
  expect((await ask(id)).json).toMatchObject({ id, mime_type: 'image/jpeg' })
})

test('a message that is named by another text of its id is told, and passed on, by the one that is known', async () => {
  const [number, spelling, userId] = peers
  const answered = wamid(number, ownToken)
  const line = gateway.line.upstreamPhoneId
  gateway.upstream.answer = ({ json }) =>
    json.status === 'read'
      ? Response.json({ success: true })
      : Response.json({ contacts: [{ input: json.to, wa_id: number }], messages: [{ id: answered }] })
  const post = (body: object) => ask(`${line}/messages`, { method: 'POST', body: JSON.stringify(body) })
  const sent = await post({ to: number, text: { body: 'Hello' } })
  expect(sent.json.messages[0].id).toBe(answered)

  const [first, second, third, fourth] = ['1', '2', '3', '4'].map(n => wamid(number, `${userToken}${n}`, 'user'))
  const from = { from: number, timestamp: '1749416383' }
  const read = { status: 'read', id: wamid(userId, ownToken), timestamp: '1749416390', recipient_id: number }
  await callback({
    contacts: [{ profile: { name: 'Ada' }, wa_id: number, user_id: userId }],
    messages: [
      { ...from, id: first, type: 'text', text: { body: 'Yes' }, context: { id: wamid(userId, ownToken) } },
      { ...from, id: second, type: 'reaction', reaction: { message_id: wamid(spelling, ownToken), emoji: '👍' } },
      {
        ...{ ...from, id: third, type: 'edit' },
        edit: {
          original_message_id: wamid(spelling, `${userToken}1`, 'user'),
          message: { type: 'text', text: { body: 'No' }, context: { id: wamid(userId, ownToken) } },
        },
      },
      { ...from, id: fourth, type: 'revoke', revoke: { original_message_id: wamid(userId, `${userToken}1`, 'user') } },
    ],
    statuses: [read],
  })
  const shown = (id = '') => told.flatMap(({ messages = [] }) => messages).find(one => one.id === id)
  await eventually(() => expect(shown(fourth)).toBeDefined())
  expect([first, second, third, fourth].map(shown)).toMatchObject([
    { context: { id: answered } },
    { reaction: { message_id: answered } },
    { edit: { original_message_id: first, message: { context: { id: answered } } } },
    { revoke: { original_message_id: first } },
  ])
  await eventually(() => expect(told.flatMap(({ statuses = [] }) => statuses).at(-1)).toMatchObject({ status: 'read' }))
  expect(told.flatMap(({ statuses = [] }) => statuses).at(-1)?.id).toBe(answered)

  const upstream = () => gateway.upstream.received.at(-1)?.json
  const other = wamid(spelling, `${userToken}1`, 'user')
  expect((await post({ status: 'read', message_id: other })).json).toEqual({ success: true })
  expect(upstream()).toMatchObject({ status: 'read', message_id: first })
  await post({ to: number, text: { body: 'Sure?' }, context: { message_id: other } })
  expect(upstream()).toMatchObject({ context: { message_id: first } })
  await post({ to: number, type: 'reaction', reaction: { message_id: other, emoji: '👍' } })
  expect(upstream()).toMatchObject({ reaction: { message_id: first } })
  // Somebody else's, and one that nobody knows here, go up as they are.
  await post({ to: '4915112345678', text: { body: 'Sure?' }, context: { message_id: other } })
  expect(upstream()).toMatchObject({ context: { message_id: other } })
  const unknown = wamid(number, `${userToken}9`, 'user')
  await post({ to: number, text: { body: 'Sure?' }, context: { message_id: unknown } })
  expect(upstream()).toMatchObject({ context: { message_id: unknown } })
  gateway.upstream.answer = accept
})
