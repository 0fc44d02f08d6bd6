import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { callbackUrl, report, second, status } from '../callbacks/report.ts'
import { ManualClock } from '../clock.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { messagesCallback, postCallback } from '../upstream.ts'
import { type WatchedThreads, watchThreads } from './threads.ts'
import { type CountedWay, countTrips } from './trips.ts'

/** Its acceptance, which looks whether what it is decided by still holds, and for its idempotency key; its end. */
const tripsOfSend = 2
/** The count of its address, and that of its key: one statement each. */
const tripsOfLimits = 2
/**
 * Its channel, its message under the locks, all that is stored, the commit: what needs no answer leaves together, and so
 * does the begin.
 */
const tripsOfStatus = 4
/** The same, and who the person is: what is known of the number and of the id is looked for together. */
const tripsOfNewPerson = 10
/** A statement is prepared once on each connection of the pool. */
const warmUps = 120

const manyRequests = '1000000'

describe.skipIf(!hasPostgres).each([
  ['without limits of requests', '0', tripsOfSend],
  ['with limits of its address and its key', manyRequests, tripsOfSend + tripsOfLimits],
])('a send on PostgreSQL, %s', (_, limit, trips) => {
  let server: PostgresServer
  let way: CountedWay
  let threads: WatchedThreads
  let gateway: TestGateway
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    way = await countTrips(await server.createDatabase())
    threads = watchThreads()
    // It stands still, so that nothing is asked but by sends.
    gateway = await startTestGateway({
      env: { DATABASE_URL: way.url, PUBLIC_IP_RATE_LIMIT: limit, PUBLIC_API_KEY_RATE_LIMIT: limit },
      clock: new ManualClock(),
    })
  })
  afterAll(async () => {
    await gateway.stop()
    threads.restore()
    way.close()
    await server.remove()
  })

  const send = (n: number, fields: object = {}) =>
    gateway.send({ type: 'text', phone: `+1555${String(n).padStart(7, '0')}`, content: 'Hello', ...fields })

  test('leaves from a sender thread, also one that is alone', async () => {
    threads.clear()
    await send(0)
    expect(threads.posts).toEqual(['sender: send', 'sender answers'])
  })

  async function tripsOf(n: number, fields: object): Promise<number> {
    const before = way.trips
    expect((await send(n, fields)).status).toBe(201)
    return way.trips - before
  }

  test.each([
    ['without a limit', 0],
    ['with a pace', 1_000],
  ])('is so many trips to the server, on a line %s', async (_, perSecond) => {
    await gateway.gateway.store.write.changeLine({ lineId: gateway.line.id, perSecond, pairSeconds: 0 })
    for (let n = 0; n < warmUps; n += 1) await send(n, n % 2 === 0 ? {} : { idempotencyKey: `warm ${perSecond} ${n}` })
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    const counted = { plain: [] as number[], keyed: [] as number[] }
    for (const n of numbers) {
      counted.plain.push(await tripsOf(n, {}))
      counted.keyed.push(await tripsOf(n, { idempotencyKey: `${perSecond} ${n}` }))
    }
    expect(counted).toEqual({
      plain: numbers.map(() => trips),
      keyed: numbers.map(() => trips),
    })
  })
})

describe.skipIf(!hasPostgres)('a callback on PostgreSQL', () => {
  let server: PostgresServer
  let way: CountedWay
  let gateway: TestGateway
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    way = await countTrips(await server.createDatabase())
    gateway = await startTestGateway({ env: { DATABASE_URL: way.url }, clock: new ManualClock() })
  })
  afterAll(async () => {
    await gateway.stop()
    way.close()
    await server.remove()
  })

  /** The first message of a person, who is told by number and id. */
  const hello = (n: number) => {
    const [from, userId] = [`4915112${String(n).padStart(6, '0')}`, `DE.${n}`]
    const message = { from, from_user_id: userId, id: `wamid.in${n}`, timestamp: String(second + n), type: 'text' }
    const contacts = [{ profile: { name: 'Ada' }, wa_id: from, user_id: userId }]
    const callback = messagesCallback({ contacts, messages: [{ ...message, text: { body: 'hello' } }] })
    return postCallback(callbackUrl(gateway), callback, gateway.appSecret)
  }

  test('with a message of a new person is so many trips to the server', async () => {
    for (let n = 0; n < warmUps; n += 1) expect((await hello(n)).status).toBe(200)
    const before = way.trips
    for (let n = warmUps; n < 2 * warmUps; n += 1) await hello(n)
    expect(Math.round((way.trips - before) / warmUps)).toBe(tripsOfNewPerson)
  })

  async function sentId(): Promise<string | null> {
    const { json } = await gateway.send({ type: 'text', phone: '+15550100200', content: 'Hello' })
    return (await gateway.gateway.store.read.message(json.data.id))?.channelMessageId ?? null
  }

  test('with a status is so many trips to the server', async () => {
    const ids = await Promise.all(Array.from({ length: 2 * warmUps }, sentId))
    const [warm, counted] = [ids.slice(warmUps), ids.slice(0, warmUps)]
    for (const id of warm) expect((await report(gateway, status(id, 'delivered'))).status).toBe(200)
    const before = way.trips
    for (const id of counted) expect((await report(gateway, status(id, 'delivered'))).status).toBe(200)
    // On average: the last one's announcement may be still to come.
    expect(Math.round((way.trips - before) / counted.length)).toBe(tripsOfStatus)
  })
})
