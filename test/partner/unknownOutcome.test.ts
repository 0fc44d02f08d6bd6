import { beforeEach, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { postCallback, statusCallback } from '../upstream.ts'
import { accepted, type Behaviour, ok, startRawUpstream } from './rawUpstream.ts'
import { text } from './refusals.ts'

const upstream = sharedFixture(startRawUpstream)
const gateway = sharedFixture(() => startTestGateway({ upstream, env: { CHANNEL_TIMEOUT_MS: '250' } }))
beforeEach(() => {
  upstream.received.length = 0
  upstream.behave = accepted
})

const answered = (status: string, body: string) => `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const whole = ok('{"messages":[{"id":"wamid.1"}]}')

const lost: readonly [name: string, behave: Behaviour][] = [
  ['a 500 of HTML', socket => socket.write(answered('500 Internal Server Error', '<html>oops</html>'))],
  ['a redirect', socket => socket.write(answered('302 Found\r\nlocation: http://127.0.0.1:9/', ''))],
  ['a 200 without messages', socket => socket.write(ok('{"messaging_product":"whatsapp"}'))],
  ['a 200 with JSON cut short', socket => socket.write(ok('{"messages":[{"id":"wamid.1"'))],
  ['a 202 with an id', socket => socket.write(whole.replace('200 OK', '202 Accepted'))],
  ['an answer that ends within its body', socket => socket.end(whole.slice(0, -5))],
  ['a reset within its body', socket => socket.write(whole.slice(0, -5), () => socket.resetAndDestroy())],
  ['half a status line', socket => socket.end('HTTP/1.1 2')],
  ['no HTTP at all', socket => socket.end('hello\r\n\r\n')],
  ['a close without a word', socket => socket.end()],
  ['a reset without a word', socket => socket.resetAndDestroy()],
  ['silence', () => {}],
  ['headers, then silence', socket => socket.write(whole.slice(0, 30))],
  ['a body that never ends', socket => socket.write(whole.slice(0, -1))],
]

describe('201 UNKNOWN: an answer that was lost leaves the outcome unknown', () => {
  test.each(lost)('%s: never resent, settled by a later callback', async (_, behave) => {
    upstream.behave = behave
    const { status, json } = await gateway.send(text)
    expect(status).toBe(201)
    const nothing = { channelMessageId: null, failureReason: null, sentAt: null, deliveredAt: null, readAt: null }
    const messageId = json.data.id
    expect(json.data).toMatchObject({ status: 'UNKNOWN', ...nothing, idempotentReplay: false })
    expect(upstream.received.map(request => request.json.biz_opaque_callback_data)).toEqual([messageId])

    const path = `/api/v1/public/messages/${messageId}`
    const before = (await gateway.get(path)).json.data
    expect(before).toEqual(json.data)

    const delivered = { id: `wamid.${messageId}`, status: 'delivered', timestamp: '1768435200' }
    const callback = statusCallback({ ...delivered, biz_opaque_callback_data: messageId })
    await postCallback(`${gateway.url}/callbacks/channel/${gateway.channelId}`, callback, gateway.appSecret)
    const after = (await gateway.get(path)).json.data
    expect(after).toMatchObject({ status: 'DELIVERED', channelMessageId: delivered.id, failureReason: null })
    expect(upstream.received.length).toBe(1)
  })
})

describe('a connection that was used before', () => {
  const breaks: readonly [name: string, behave: Behaviour][] = [
    ['closes', socket => socket.end()],
    ['resets', socket => socket.resetAndDestroy()],
  ]
  // HTTP clients like to repeat a request when a kept connection breaks; a message would go out twice.
  test.each(breaks)(
    '201 UNKNOWN: it %s after reading the request, which is not repeated on another one',
    async (_, behave) => {
      for (let at = 0; at < 5; at += 1) {
        upstream.behave = accepted
        expect((await gateway.send(text)).status).toBe(201)
        upstream.behave = behave
        const { status, json } = await gateway.send(text)
        expect([status, json.data?.status]).toEqual([201, 'UNKNOWN'])
      }
      expect(upstream.received.length).toBe(10)
    },
  )

  test('201: one that the upstream closes between two sends costs no message and doubles none', async () => {
    upstream.behave = (socket, received) => {
      accepted(socket, received)
      socket.end()
    }
    for (let at = 0; at < 10; at += 1) {
      expect((await gateway.send(text)).status).toBe(201)
    }
    const ids = upstream.received.map(request => request.json.biz_opaque_callback_data)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

/** What each callback makes of it: the row UNKNOWN of test/message/state.test.ts. */
describe('callbacks settle what is unknown', () => {
  test('201: one that comes before the answer is given up tells the caller what became of the message', async () => {
    // Not the short time limit of the others: on a busy machine it would end before the callback is stored.
    const patient = await startTestGateway({ upstream })
    try {
      upstream.behave = async (socket, { json }) => {
        const { biz_opaque_callback_data } = json
        const status = { id: 'wamid.early', status: 'sent', timestamp: '1768435200', biz_opaque_callback_data }
        const url = `${patient.url}/callbacks/channel/${patient.channelId}`
        await postCallback(url, statusCallback(status), patient.appSecret)
        socket.end()
      }
      const { status, json } = await patient.send(text)
      expect([status, json.data.status, json.data.channelMessageId]).toEqual([201, 'SENT', 'wamid.early'])
    } finally {
      await patient.stop()
    }
  })
})
