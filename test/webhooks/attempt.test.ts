import { afterEach, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { hasWorked } from '../../db/contract/webhooks.ts'
import { parseCidr } from '../../src/base/network.ts'
import { newWebhookSecret } from '../../src/base/webhookSignature.ts'
import { createWebhookAddresses } from '../../src/webhooks/address.ts'
import { createAttempts } from '../../src/webhooks/attempt.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const networks = ['127.0.0.0/8'].flatMap(text => parseCidr(text) ?? [])
const clock = new ManualClock()
const secrets = [newWebhookSecret()]
const request = (url: string) => ({
  url,
  format: 'events' as const,
  headers: {},
  secrets,
  id: 'evt_1',
  body: '{"type":"a"}',
  at: clock.now(),
})

let ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
  ending = []
})
function attempts(allowed = networks) {
  const made = createAttempts({ networks: allowed, version: '1.2.3' }, { clock })
  ending.push(() => made.close())
  return made
}
function receiving(answer: Receiver['answer']) {
  const receiver = startReceiver(answer)
  ending.push(() => receiver.stop())
  return receiver
}
/** @returns the address of a receiver that answers as the test says */
async function serving(answer: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`
}

describe('one attempt', () => {
  test('has the status, the first thousand characters of the answer, and Retry-After', async () => {
    const { url } = receiving(() => new Response('x'.repeat(5_000), { status: 429, headers: { 'retry-after': '7' } }))
    const answer = { status: 429, error: null, answer: 'x'.repeat(1_000), retryAfter: '7' }
    expect(await attempts().attempt(request(url))).toEqual({ ...answer, durationMs: expect.any(Number) })
  })

  test.each([
    ['without an end', 'transfer-encoding: chunked', `4000\r\n${'x'.repeat(16_384)}\r\n`, 'has more than 64 KB'],
    ['that is too long', 'content-length: 30000000', 'x'.repeat(16_384), 'has more than 64 KB'],
    ['in pieces of a byte', 'transfer-encoding: chunked', '1\r\nx\r\n', 'comes in pieces that are too small'],
  ])('with an answer %s has failed, and the receiver is cut off', async (_, header, repeated, why) => {
    const { promise: cut, resolve } = Promise.withResolvers<void>()
    const block = repeated.repeat(Math.ceil(16_384 / repeated.length))
    const url = await serving(socket => {
      const more = () => {
        while (!socket.destroyed && socket.write(block)) {}
      }
      socket.on('drain', more).on('close', () => resolve())
      socket.write(`HTTP/1.1 200 OK\r\nretry-after: 7\r\n${header}\r\n\r\n`)
      more()
    })
    const begun = { status: 200, answer: expect.stringMatching(/^x{257,1000}$/), retryAfter: '7' }
    const made = await attempts().attempt(request(url))
    expect(made).toEqual({ ...begun, error: `the answer ${why}`, durationMs: expect.any(Number) })
    expect(hasWorked(made)).toBe(false)
    await cut
  })

  test('shows the beginning of a long refusal', async () => {
    const { url } = receiving(() => new Response('x'.repeat(30_000_000), { status: 500 }))
    expect(await attempts().attempt(request(url))).toMatchObject({ status: 500, answer: 'x'.repeat(1_000) })
  })

  test.each([
    ['is cut off', (socket: net.Socket) => socket.end(), { status: 200, answer: 'x', error: expect.any(String) }],
    ['does not come whole in time', () => {}, { error: 'no answer within 15000 ms' }],
  ])('with an answer that begins and %s has failed', async (_, proceed, expected) => {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const url = await serving(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx', () => resolve())
      proceed(socket)
    })
    const attempted = attempts().attempt(request(url))
    await begun
    if (proceed.length === 0) clock.advance(15_000)
    const made = await attempted
    expect(made).toMatchObject(expected)
    expect(hasWorked(made)).toBe(false)
  })

  test('keeps the beginning of a long reason: that of a certificate repeats its names', async () => {
    const refusing = { ...createWebhookAddresses(networks), problemOf: () => 'x'.repeat(5_000) }
    const made = createAttempts({ networks, version: '1.2.3' }, { clock, addresses: refusing })
    ending.push(() => made.close())
    expect((await made.attempt(request('http://127.0.0.1/'))).error).toBe('x'.repeat(1_000))
  })

  test('ends after 15 seconds without an answer', async () => {
    const { url, received } = receiving(() => new Promise<Response>(() => {}))
    const attempted = attempts().attempt(request(url))
    await eventually(() => expect(received).toHaveLength(1))
    clock.advance(14_999)
    clock.advance(1)
    const answer = { status: null, answer: null, error: 'no answer within 15000 ms', durationMs: 15_000 }
    expect(await attempted).toMatchObject(answer)
  })

  test('on which the connection closes has failed', async () => {
    const { status, error } = await attempts().attempt(request(await serving(socket => socket.destroy())))
    expect([status, error]).toEqual([null, expect.stringMatching(/clos|reset/)])
  })

  test('to an address that is not allowed is not made', async () => {
    const { url, received } = receiving(() => new Response())
    const { port } = new URL(url)
    const guarded = attempts(['10.0.0.0/8'].flatMap(text => parseCidr(text) ?? []))
    for (const address of [url, `http://localhost:${port}/`, `https://localhost:${port}/`]) {
      const { status, error } = await guarded.attempt(request(address))
      expect([status, error]).toEqual([null, expect.stringContaining('WEBHOOK_ALLOWED_NETWORKS=')])
    }
    expect(received).toEqual([])
  })

  test('keeps its connection for the next one', async () => {
    const peers = new Set<string>()
    const server = net.createServer(socket => {
      peers.add(`${socket.remotePort}`)
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    ending.push(() => server.close())
    const { port } = server.address() as net.AddressInfo
    const made = attempts()
    for (const _ of [1, 2, 3]) {
      expect(await made.attempt(request(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 204, answer: '' })
    }
    expect(peers.size).toBe(1)
  })
})
