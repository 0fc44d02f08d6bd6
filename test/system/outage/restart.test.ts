import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../../eventually.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../postgres.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { expectOnce, expectRefused, startLoad } from './load.ts'
import { type OutageGateway, password, startOutageGateway } from './outageGateway.ts'

setDefaultTimeout(3 * hungAfterMs)

describe.skipIf(!hasPostgres)('a PostgreSQL server', () => {
  let server: PostgresServer
  let gateway: OutageGateway
  // Each test has a server of its own: one that fails half-way leaves it stopped.
  beforeEach(async () => {
    server = await startPostgres()
    gateway = await startOutageGateway(await server.createDatabase())
  })
  afterEach(async () => {
    try {
      await gateway.stop()
      expect(gateway.logged()).not.toContain(password)
    } finally {
      await server.remove()
    }
  })

  test.each([
    ['that is restarted', 'fast'],
    ['that crashes', 'immediate'],
  ] as const)('%s under load: nothing is lost or sent twice, and the gateway goes on by itself', async (_, how) => {
    const load = startLoad(gateway)
    await eventually(() => expect(gateway.upstream.received.length).toBeGreaterThan(20))
    await server.stop(how)
    // Not until a send is refused: where all callers wait to learn whether theirs was stored, none is before 10 s.
    await eventually(async () => expect((await gateway.ready()).status).toBe(503))
    await server.start()
    const before = gateway.upstream.received.length
    await eventually(() => expect(gateway.upstream.received.length).toBeGreaterThan(before + 20))
    const keys = await load.finish()

    expect(Object.keys(load.answers).filter(answer => !/^(200|201|503 SERVICE_UNAVAILABLE)$/.test(answer))).toEqual([])
    await expectOnce(gateway, keys)
    // Each thing that fails is said once, not each second or for each message.
    for (const words of ['could not be stored; retrying', 'heartbeat failed'])
      expect(gateway.logged().split(words).length - 1).toBeLessThanOrEqual(2)
    expect(gateway.logged().split('request refused').length - 1).toBeLessThanOrEqual(1)
  })

  test('that is gone: sends and reads are 503, /readyz says that it cannot be reached', async () => {
    const first = await gateway.sendAs('order-1')
    await server.stop()
    await eventually(() => expectRefused(gateway, first.json.data.id))
    await eventually(async () => expect(await gateway.ready()).toEqual({ status: 503, database: 'cannot be reached' }))
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
    await server.start()
    await eventually(async () => expect(await gateway.ready()).toEqual({ status: 200, database: 'ok' }))
    expect((await gateway.get(`/api/v1/public/messages/${first.json.data.id}`)).status).toBe(200)
    expect((await gateway.sendAs('order-2')).status).toBe(201)
    await expectOnce(gateway, ['order-1', 'order-2'])
  })
})
