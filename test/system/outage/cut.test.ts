import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import { hasPostgres, startPostgres } from '../../postgres.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { accept, type Received } from '../../upstream.ts'
import { expectOnce, expectRefused, startLoad } from './load.ts'
import { type OutageGateway, password, startOutageGateway } from './outageGateway.ts'
import { type CuttableProxy, startProxy } from './proxy.ts'

setDefaultTimeout(3 * hungAfterMs)

describe.skipIf(!hasPostgres)('the way to a PostgreSQL server', () => {
  let proxy: CuttableProxy
  let gateway: OutageGateway
  const server = sharedFixture(startPostgres)
  beforeEach(async () => {
    proxy = await startProxy(server.port)
    const url = new URL(await server.createDatabase())
    url.port = String(proxy.port)
    gateway = await startOutageGateway(url.href)
  })
  afterEach(async () => {
    await gateway.stop()
    proxy.close()
    expect(gateway.logged()).not.toContain(password)
  })

  test('that is slow delays sends, and loses nothing', async () => {
    proxy.delayMs = 40
    const keys = Array.from({ length: 40 }, (_, at) => `order-${at}`)
    const answers = await Promise.all(keys.map(gateway.sendAs))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201))
    await expectOnce(gateway, keys)
  })

  test('that is cut without a word: refused in time; the dead connections are given up, and the gateway goes on', async () => {
    const first = await gateway.sendAs('order-1')
    // One message is with the upstream meanwhile, and others have filled the pool.
    const answered = Promise.withResolvers<void>()
    gateway.upstream.answer = async (request: Received) => {
      if ((request.json.text as { body: string }).body === 'on-its-way') await answered.promise
      return accept(request)
    }
    const onItsWay = gateway.sendAs('on-its-way')
    await eventually(() => expect(gateway.upstream.received).toHaveLength(2))
    const keys = Array.from({ length: 30 }, (_, at) => `order-${at + 2}`)
    await Promise.all(keys.map(gateway.sendAs))

    proxy.cut()
    answered.resolve()
    // What decides on it is known, so it is in the one statement that stores it: whether it did, nobody can say.
    const lost = gateway.sendAs('in-the-cut')
    // After ten seconds without an answer of the server, and not after the quarter of an hour that TCP goes on for.
    const askedAt = performance.now()
    expect((await gateway.get(`/api/v1/public/messages/${first.json.data.id}`)).status).toBe(503)
    expect((await lost).status).toBe(500)
    expect(performance.now() - askedAt).toBeLessThan(hungAfterMs)
    await expectRefused(gateway, first.json.data.id)
    expect(await gateway.ready()).toEqual({ status: 503, database: 'cannot be reached' })
    proxy.mend()

    await eventually(async () => expect((await gateway.sendAs('afterwards')).status).toBeLessThan(300))
    await eventually(() => expect(proxy.dead).toBe(0))
    expect(await gateway.ready()).toEqual({ status: 200, database: 'ok' })
    await onItsWay
    await expectOnce(gateway, ['order-1', 'on-its-way', ...keys, 'afterwards'])
  })

  test('that is cut under load: nothing is lost or sent twice, and no send is answered 500', async () => {
    const load = startLoad(gateway)
    await eventually(() => expect(gateway.upstream.received.length).toBeGreaterThan(50))
    proxy.cut()
    // Not until a send is refused: where all callers wait to learn whether theirs was stored, none is for 10 s more.
    await eventually(async () => expect((await gateway.ready()).status).toBe(503))
    proxy.mend()
    const before = gateway.upstream.received.length
    await eventually(() => expect(gateway.upstream.received.length).toBeGreaterThan(before + 50))
    const keys = await load.finish()

    expect(Object.keys(load.answers).filter(answer => !/^(200|201|503 SERVICE_UNAVAILABLE)$/.test(answer))).toEqual([])
    await expectOnce(gateway, keys)
  })
})
