import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import net from 'node:net'
import { newWebhookSecret } from '../../src/crypto/webhookSignature.ts'
import { parseCidr } from '../../src/network.ts'
import { createWebhookAddresses } from '../../src/webhooks/address.ts'
import { createAttempts } from '../../src/webhooks/attempt.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type Receiver, startReceiver } from './receiver.ts'

setDefaultTimeout(hungAfterMs)

const networks = ['127.0.0.0/8'].flatMap(text => parseCidr(text) ?? [])
const clock = new ManualClock()
const secrets = [newWebhookSecret()]
const request = (url: string) => ({ url, headers: {}, secrets, id: 'evt_1', body: '{"type":"a"}', at: clock.now() })

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

describe('one attempt', () => {
  test('has the status, the first thousand characters of the answer, and Retry-After', async () => {
    const { url } = receiving(() => new Response('x'.repeat(5_000), { status: 429, headers: { 'retry-after': '7' } }))
    const answer = { status: 429, error: null, answer: 'x'.repeat(1_000), retryAfter: '7' }
    expect(await attempts().attempt(request(url))).toEqual({ ...answer, durationMs: expect.any(Number) })
  })

  test('reads a bounded part of an answer that does not end, and its status counts', async () => {
    let isCut = false
    const { url } = receiving(
      () =>
        new Response(
          new ReadableStream({
            pull: controller => controller.enqueue(new Uint8Array(16_384).fill(120)),
            cancel() {
              isCut = true
            },
          }),
        ),
    )
    expect(await attempts().attempt(request(url))).toMatchObject({ status: 200, answer: 'x'.repeat(1_000) })
    await eventually(() => expect(isCut).toBe(true))
  })

  test('of a large answer of a known length counts too', async () => {
    const { url } = receiving(() => new Response('x'.repeat(30_000_000)))
    expect(await attempts().attempt(request(url))).toMatchObject({ status: 200, error: null })
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
    const server = net.createServer(socket => socket.once('data', () => socket.destroy()))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    ending.push(() => server.close())
    const { port } = server.address() as net.AddressInfo
    const { status, error } = await attempts().attempt(request(`http://127.0.0.1:${port}/`))
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
