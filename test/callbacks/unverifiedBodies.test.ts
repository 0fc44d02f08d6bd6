import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { GatewayError } from '../../src/base/errors.ts'
import { UnverifiedBodies } from '../../src/callbacks/unverifiedBodies.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from '../http/rawHttp.ts'
import { signatureOf } from '../upstream.ts'
import { callbackUrl } from './report.ts'

const mib = 1_048_576
const caller = (at: number) => [`203.0.113.${at}`]

/** A request whose body has come so far and does not end until the test says so. */
function unfinished(bytes: number) {
  let finish = () => {}
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes))
      finish = () => controller.close()
    },
  })
  return { request: new Request('http://localhost/', { method: 'POST', body }), finish: () => finish() }
}

const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'taken',
    (error: unknown) => (error instanceof GatewayError ? error.reason : error),
  )

describe('bodies whose signature is not checked yet', () => {
  test('SERVICE_UNAVAILABLE: one caller holds 16 MiB at most; others go on', async () => {
    const bodies = new UnverifiedBodies(new ManualClock())
    const held = Array.from({ length: 5 }, () => unfinished(3 * mib))
    const reading = held.map(({ request }) => bodies.read(request, caller(1)))
    expect(await refusalOf(bodies.read(unfinished(2 * mib).request, caller(1)))).toBe('SERVICE_UNAVAILABLE')
    const other = unfinished(2 * mib)
    const read = bodies.read(other.request, caller(2))
    other.finish()
    expect((await read).length).toBe(2 * mib)
    for (const { finish } of held) finish()
    expect((await Promise.all(reading)).map(({ length }) => length)).toEqual(Array(5).fill(3 * mib))
    expect(bodies.bytes).toBe(0)
  })

  test('SERVICE_UNAVAILABLE: all callers together hold 64 MiB at most', async () => {
    const bodies = new UnverifiedBodies(new ManualClock())
    const held = Array.from({ length: 21 }, (_, at) => ({ ...unfinished(3 * mib), at }))
    const reading = held.map(({ request, at }) => bodies.read(request, caller(at)))
    expect(await refusalOf(bodies.read(unfinished(2 * mib).request, caller(99)))).toBe('SERVICE_UNAVAILABLE')
    for (const { finish } of held) finish()
    await Promise.all(reading)
    expect(bodies.bytes).toBe(0)
  })

  test('VALIDATION_ERROR: a body that does not end within 30 seconds is given up', async () => {
    const clock = new ManualClock()
    const bodies = new UnverifiedBodies(clock)
    const reading = refusalOf(bodies.read(unfinished(mib).request, caller(1)))
    await eventually(() => expect(bodies.bytes).toBe(mib))
    clock.advance(29_999)
    expect(bodies.bytes).toBe(mib)
    clock.advance(1)
    expect(await reading).toBe('VALIDATION_ERROR')
    expect([bodies.bytes, clock.pending]).toEqual([0, 0])
  })

  test('all addresses of an IPv6 network are one caller', async () => {
    const bodies = new UnverifiedBodies(new ManualClock())
    const address = (at: number) => [`2001:db8:1:${at}::/64`, '2001:db8:1:0::/56', '2001:db8:1::/48']
    const held = Array.from({ length: 5 }, () => unfinished(3 * mib))
    for (const [at, { request }] of held.entries()) bodies.read(request, address(at)).catch(() => {})
    expect(await refusalOf(bodies.read(unfinished(2 * mib).request, address(9)))).toBe('SERVICE_UNAVAILABLE')
    for (const { finish } of held) finish()
  })

  test('PAYLOAD_TOO_LARGE: after 20 wrong signatures a caller may send small bodies only, until the next window', async () => {
    const clock = new ManualClock()
    const bodies = new UnverifiedBodies(clock)
    const send = async (bytes: number) => {
      const { request, finish } = unfinished(bytes)
      finish()
      return refusalOf(bodies.read(request, caller(1)))
    }
    for (let at = 0; at < 19; at += 1) bodies.countRefusal(caller(1))
    expect(await send(mib)).toBe('taken')
    bodies.countRefusal(caller(1))
    expect([await send(65_537), await send(65_536)]).toEqual(['PAYLOAD_TOO_LARGE', 'taken'])
    clock.advance(900_000)
    expect(await send(mib)).toBe('taken')
  })
})

describe('over sockets', () => {
  const gateway = sharedFixture(() => startTestGateway({ env: { TRUST_PROXY: '127.0.0.1' } }))

  const head = (headers: Record<string, string>) =>
    rawHead(`POST /callbacks/channel/${gateway.channelId}`, { Host: 'localhost', ...headers })
  const signature = `sha256=${'a'.repeat(64)}`

  test('401 UNAUTHORIZED: without a signature, and not waiting for the body', async () => {
    for (const given of [{}, { 'X-Hub-Signature-256': 'sha256=abc' }]) {
      const answer = await exchangeRaw(gateway.url, head({ ...given, 'Content-Length': '3000000' }), '{"entry":')
      expect(answer.status).toBe(401)
    }
  })

  test('503 SERVICE_UNAVAILABLE: unfinished bodies of one caller find no more place; the upstream is heard', async () => {
    const port = Number(new URL(gateway.url).port)
    const half = Buffer.alloc(2 * mib, ' ')
    const answers: string[] = []
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          head({
            'X-Forwarded-For': '203.0.113.7',
            'X-Hub-Signature-256': signature,
            'Content-Length': String(3 * mib),
          }),
        )
        socket.write(half)
      })
      socket.on('data', data => answers.push(String(data)))
      socket.on('error', () => {})
      return socket
    })
    try {
      await eventually(() => expect(answers.length).toBe(12))
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 5\r\n/i)
      const body = '{"entry":[]}'
      const signed = signatureOf(body, gateway.appSecret)
      const headers = { 'x-hub-signature-256': signed, 'x-forwarded-for': '198.51.100.1' }
      const heard = await fetch(callbackUrl(gateway), { method: 'POST', headers, body })
      expect(heard.status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  test('a caller with wrong signatures can still send a right one', async () => {
    const post = (body: string, given: string) =>
      fetch(callbackUrl(gateway), {
        method: 'POST',
        headers: { 'x-hub-signature-256': given, 'x-forwarded-for': '203.0.113.8' },
        body,
      })
    for (let at = 0; at < 20; at += 1) expect((await post('{}', signature)).status).toBe(401)
    expect(await codeOf(await post(' '.repeat(65_537), signature))).toBe('413 PAYLOAD_TOO_LARGE')
    const body = '{"entry":[]}'
    const signed = signatureOf(body, gateway.appSecret)
    expect((await post(body, signed)).status).toBe(200)
  })
})
