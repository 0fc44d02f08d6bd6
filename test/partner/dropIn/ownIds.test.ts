import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { platformMessageTypes } from '../../../src/base/eventTypes.ts'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import { newId } from '../../../src/base/ids.ts'
import { OutcomeUnknown, Unavailable } from '../../../src/base/unavailable.ts'
import { callbackUrl, status } from '../../callbacks/report.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { answerOf, startBareGateway } from '../../gateway.ts'
import { databaseSettings } from '../../gatewayDatabase.ts'
import { accept, graphError, messagesCallback, postCallback } from '../../upstream.ts'
import { type Receiver, startReceiver } from '../../webhooks/receiver.ts'
import { type Delivering, startDelivering, webhookEnv } from '../../webhooks/webhooks.ts'

/*
 * A client of the platform whose send was answered before the platform gave an id knows the message by one of ours, and
 * by no other: in what it is told, and in what it says.
 */

const env = { GRAPH_API: 'on', SEND_WAIT_MS: '60000' }
let clock: ManualClock
let gateway: Delivering
let receiver: Receiver
let webhookId: string
let headers: Record<string, string>
/** Lets the platform answer the send that it holds back. */
let answer: (how?: typeof accept) => void
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  gateway = await startDelivering(clock, { env })
  receiver = startReceiver()
  webhookId = await gateway.addWebhook({ url: receiver.url, format: 'platform', types: platformMessageTypes })
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: ['graph', 'messages:send', 'inbound'] })
  headers = { authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}` }
  const { promise, resolve } = Promise.withResolvers<typeof accept>()
  answer = (how = accept) => {
    resolve(how)
    gateway.upstream.answer = accept
  }
  gateway.upstream.answer = async request => (await promise)(request)
})
afterEach(async () => {
  answer()
  await gateway.stop()
  await receiver.stop()
})

const text = { to: '4915112345678', type: 'text', text: { body: 'Hello' } }
const post = (body: object = text, more: Record<string, string> = {}, url = gateway.url) =>
  answerOf(
    fetch(`${url}/graph/v23.0/${gateway.line.upstreamPhoneId}/messages`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    }),
  )
const key = { 'idempotency-key': 'late' }
/** @returns the id that a send is answered with ten seconds after the platform has got it */
async function late(): Promise<string> {
  const answering = post(text, key)
  await eventually(() => expect(gateway.upstream.received).toHaveLength(1))
  clock.advance(10_000)
  return (await answering).json.messages[0].id
}
const stored = async () => (await gateway.messages())[0]
const wamid = () => eventually(async () => (await stored())?.channelMessageId ?? expect.unreachable())
const callback = (value: object) => postCallback(callbackUrl(gateway), messagesCallback(value), gateway.appSecret)
const told = () => receiver.received.map(({ event }) => event.entry[0].changes[0].value)
const statuses = () => told().flatMap(value => value.statuses ?? [])
const untilTold = (...expected: [id: string, status: string][]) =>
  gateway.until(() => expect(statuses().map(each => [each.id, each.status])).toEqual(expected))

test('it is in each status and each answer to a repeated request, also after a restart', async () => {
  const id = await late()
  answer()
  const known = await wamid()
  expect(known).not.toBe(id)
  await gateway.gateway.stop()
  const database = await databaseSettings(gateway.dataDir)
  const paths = { DATA_DIR: gateway.dataDir, CHANNEL_API_URL: gateway.upstream.url, ...database }
  const again = await startBareGateway({ ...webhookEnv, ...env, ...paths }, { clock })
  try {
    expect((await post(text, key, again.url)).json.messages).toEqual([{ id }])
    await untilTold([id, 'sent'])
    const url = callbackUrl({ ...gateway, url: again.url })
    await postCallback(url, messagesCallback({ statuses: [status(known, 'read')] }), gateway.appSecret)
    await untilTold([id, 'sent'], [id, 'read'])
  } finally {
    await again.stop()
  }
})

test('a request that is repeated meanwhile is answered with it, and so is one after the platform has answered', async () => {
  const id = await late()
  const answers: unknown[] = []
  const repeat = async () => answers.push((await post(text, key)).json.messages)
  const repeated = repeat()
  await eventually(() => {
    clock.advance(10_000)
    expect(answers).toEqual([[{ id }]])
  })
  const waiting = repeat()
  answer()
  await wamid()
  await Promise.all([repeated, waiting, repeat()])
  expect(answers).toEqual([[{ id }], [{ id }], [{ id }]])
  expect(gateway.upstream.received).toHaveLength(1)
})

test('the partner API and its events name the message by our id and the platform’s, as any other', async () => {
  const id = await late()
  answer()
  const known = await wamid()
  const { json } = await gateway.get('/api/v1/public/events')
  expect(json.data.map((event: { data: unknown }) => event.data)).toMatchObject([
    { message: { id: (await stored())?.id, channelMessageId: known } },
  ])
  for (const ours of ['ownId', id]) expect(JSON.stringify(json)).not.toContain(ours)
})

test.each([
  ['cannot be', new Unavailable('no space')],
  ['may or may not be', new OutcomeUnknown('no answer')],
])(
  'a send that %s marked is answered, as its client would send it again, and marked before its end',
  async (_name, error) => {
    const { write } = gateway.gateway.store
    const record = write.recordEvent
    let failures = 2
    using _ = spyOn(write, 'recordEvent').mockImplementation(async recorded => {
      if (recorded.event.kind === 'namedByUs' && failures-- > 0) throw error
      return record(recorded)
    })
    const id = await late()
    answer()
    await untilTold([id, 'sent'])
  },
)

test('it is in the failure of a message that never got an id of the platform', async () => {
  const id = await late()
  answer(() => graphError(400, { message: '(#131026) Undeliverable', code: 131026 }))
  await untilTold([id, 'failed'])
  expect(statuses()[0].errors).toMatchObject([{ code: 131026 }])
})

test('it is what a callback gets when the answer of the platform was lost', async () => {
  gateway.upstream.answer = () => new Response('not JSON')
  const id = (await post()).json.messages[0].id
  const message = await stored()
  expect([message?.status, message?.channelMessageId]).toEqual(['UNKNOWN', null])
  const biz_opaque_callback_data = message?.id
  await callback({ statuses: [status('wamid.late', 'delivered', undefined, { biz_opaque_callback_data })] })
  await untilTold([id, 'delivered'])
})

test('it is what users answer and react to; another message keeps its id', async () => {
  const id = await late()
  answer()
  const known = await wamid()
  const { json } = await post()
  const from = '4915112345678'
  const contacts = [{ profile: { name: 'Ada' }, wa_id: from }]
  const inbound = (content: object, at: number) => ({ from, id: `wamid.in${at}`, timestamp: `${at}`, ...content })
  const answering = (id: string) => ({ type: 'text', text: { body: 'Yes' }, context: { from: '15550783881', id } })
  const contents = [known, json.messages[0].id, 'wamid.elsewhere'].flatMap((named, at) => [
    inbound(answering(named), at * 3 + 1),
    inbound({ type: 'reaction', reaction: { message_id: named, emoji: '👍' } }, at * 3 + 2),
    inbound({ type: 'edit', edit: { original_message_id: 'wamid.in', message: answering(named) } }, at * 3 + 3),
  ])
  for (const message of contents) await callback({ contacts, messages: [message] })
  // Messages of users come in any order.
  const shown = () =>
    told()
      .flatMap(({ messages = [] }) => messages)
      .toSorted((one, other) => one.timestamp - other.timestamp)
  await gateway.until(() =>
    expect(shown()).toEqual(contents.map(message => JSON.parse(JSON.stringify(message).replace(known, id)))),
  )
})

test('it names a message whose recipient was erased; one that had the id of the platform has none left', async () => {
  const id = await late()
  answer()
  const known = await wamid()
  const other: string = (await post()).json.messages[0].id
  await untilTold([id, 'sent'], [other, 'sent'])
  const { workspaceId } = gateway
  const { read, write } = gateway.gateway.store
  const at = clock.now()
  const contactId = newId('contact')
  const contact = { id: contactId, workspaceId, phone: '+4915112345678', userId: null, name: null }
  await write.saveContact({ ...contact, createdAt: at, updatedAt: at })
  await write.forgetContact({ contactId, at })
  await eventually(async () => expect(await write.eraseContact({ contactId, limit: 100, at })).toBeNull())
  for (const named of [other, known]) await callback({ statuses: [status(named, 'delivered')] })
  await gateway.until(async () =>
    expect((await gateway.webhook(webhookId)).position).toBe(await read.lastEvent(workspaceId)),
  )
  await untilTold([id, 'sent'], [other, 'sent'], [id, 'delivered'])
  expect(await read.deliveries({ endpointId: webhookId, limit: 10 })).toHaveLength(3)
})

test('given as a message that was read, it names nothing, and the platform is not asked', async () => {
  const id = await late()
  const { json } = await post({ status: 'read', message_id: id })
  expect(json.error).toMatchObject({ code: 100, error_subcode: 33 })
  expect(gateway.upstream.received).toHaveLength(1)
})

describe('what the platform answers at the last moment counts', () => {
  /** The platform's answer is stored just before the store is asked to name the message. */
  async function answeredAtLast(how: typeof accept) {
    const { write } = gateway.gateway.store
    const record = write.recordEvent
    using _ = spyOn(write, 'recordEvent').mockImplementation(async recorded => {
      if (recorded.event.kind === 'namedByUs') {
        answer(how)
        await eventually(async () => expect((await stored())?.status).not.toBe('QUEUED'))
      }
      return record(recorded)
    })
    const answering = post(text, key)
    await eventually(() => expect(gateway.upstream.received).toHaveLength(1))
    clock.advance(10_000)
    return await answering
  }

  test('its id is that of the answer, and of all callbacks', async () => {
    const { json } = await answeredAtLast(accept)
    const id = await wamid()
    expect(json.messages).toEqual([{ id }])
    await untilTold([id, 'sent'])
  })

  test('its refusal is the answer, and the only one', async () => {
    const refuse = () => graphError(400, { message: '(#131026) Undeliverable', code: 131026 })
    const { status, json } = await answeredAtLast(refuse)
    expect([status, json.error.code]).toEqual([400, 131026])
    const { id } = (await post()).json.messages[0]
    await untilTold([id, 'sent'])
  })
})
