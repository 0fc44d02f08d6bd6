import { beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { sharedFixture } from '../../fixture.ts'
import { orderTemplate, startTestGateway } from '../../gateway.ts'
import { exchangeRaw, rawHead } from '../../http/rawHttp.ts'
import { Random } from '../rig/random.ts'
import { type Struck, strike } from './storm.ts'

/** The normal run; `bun run test:fuzz` makes twenty times as many. */
const requests = Number(process.env.WAYPOST_FUZZ_REQUESTS ?? 5_000)
const atOnce = 16
/** A storm of small requests has no reason to keep memory; this leaves room for the collector to be lazy. */
const grownBytesMax = 200 * 1_048_576

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(orderTemplate))

test('malformed requests and callbacks of every kind: never a 5xx, bounded memory, and the next good one is served', async () => {
  const seed = Number(process.env.WAYPOST_FUZZ_SEED ?? Date.now() % 4_294_967_296)
  console.log(`fuzz: ${requests} requests, WAYPOST_FUZZ_SEED=${seed}`)
  const random = new Random(seed)
  const before = process.memoryUsage.rss()
  const broken: Struck[] = []
  const counts = new Map<number, number>()
  for (let done = 0; done < requests; done += atOnce) {
    const struck = await Promise.all(Array.from({ length: atOnce }, () => strike(gateway, random)))
    for (const one of struck) {
      counts.set(one.status, (counts.get(one.status) ?? 0) + 1)
      if (one.status >= 500) broken.push(one)
    }
  }
  expect(broken).toEqual([])
  // A storm that is refused for its key would prove nothing.
  for (const status of [200, 201, 400, 404, 415])
    expect([status, (counts.get(status) ?? 0) > 0]).toEqual([status, true])
  expect(process.memoryUsage.rss() - before).toBeLessThan(grownBytesMax)
  const good = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Still there.' })
  expect([good.status, good.json.data.status]).toEqual([201, 'SENT'])
}, 600_000)

/** Writes to a socket and leaves, whatever the other end makes of it. */
function throwIn(url: string, pieces: readonly string[]): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
      socket.destroySoon()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

test('requests that are cut off, pipelined or no HTTP at all harm nobody', async () => {
  const { url, key } = gateway
  const headers = { Host: 'localhost', ...key, 'Content-Type': 'application/json', 'Content-Length': '4000' }
  const head = rawHead('POST /api/v1/public/messages/send', headers)
  const whole = rawHead('GET /livez', { Host: 'localhost' })
  const pieces = [
    [head, '{"type":'],
    [head.slice(0, 60)],
    ['\0\0\0\r\n\r\n'],
    ['GET / HTTP/9.9\r\n\r\n'],
    [whole, whole],
  ]
  await Promise.all(pieces.map(bytes => throwIn(url, bytes)))
  expect((await exchangeRaw(url, whole)).status).toBe(200)
})
