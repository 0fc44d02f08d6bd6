import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { graphTokenOf } from '../../../src/base/graphToken.ts'
import { ManualClock } from '../../clock.ts'
import { sharedFixture } from '../../fixture.ts'
import { answerOf, startTestGateway } from '../../gateway.ts'
import { accept } from '../../upstream.ts'

const clock = new ManualClock(Date.UTC(2026, 2, 29, 1, 30))
const gateway = sharedFixture(() => startTestGateway({ clock, env: { GRAPH_API: 'on', SEND_WAIT_MS: '10000' } }))
beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})
let token = ''
beforeAll(async () => {
  const { apiKey, apiSecret } = await gateway.createKey({ scopes: ['graph', 'messages:send'] })
  token = graphTokenOf(apiKey, apiSecret)
})

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

test.each(['a b', 'a:99999', '[', '', 'a@b', '%'])('a stranger with the host %j is a stranger', async host => {
  const { hostname, port } = new URL(gateway.url)
  const { promise: answered, resolve } = Promise.withResolvers<string>()
  const data = (_socket: unknown, bytes: Buffer) => resolve(bytes.toString())
  const close = () => resolve('')
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data, close } })
  socket.write(`GET /graph/100001?access_token=x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(await answered).toStartWith('HTTP/1.1 401 ')
  socket.end()
})
