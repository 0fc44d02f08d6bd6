import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { SQL } from 'bun'
import { eventually } from '../../eventually.ts'
import { hasPostgres, startPostgres } from '../../postgres.ts'
import { canMount, mountSmallDisk } from '../../smallDisk.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { expectOnce, expectRefused } from './load.ts'
import { password, startOutageGateway } from './outageGateway.ts'

setDefaultTimeout(3 * hungAfterMs)

describe.skipIf(!hasPostgres)('a PostgreSQL server', () => {
  let opened: AsyncDisposableStack
  afterEach(() => opened.disposeAsync())

  async function startGateway(url: string) {
    const gateway = await startOutageGateway(url)
    opened.defer(async () => {
      await gateway.stop()
      expect(gateway.logged()).not.toContain(password)
    })
    return gateway
  }

  test('without a free connection: 503, and on again by itself once there is one', async () => {
    opened = new AsyncDisposableStack()
    const server = await startPostgres({ max_connections: '20' })
    opened.defer(() => server.remove())
    const url = await server.createDatabase()
    const gateway = await startGateway(url)
    const first = await gateway.sendAs('order-1')

    const others: SQL[] = []
    const database = new URL(url).pathname.slice(1)
    const held = async () => {
      const client = new SQL({ url: url.replace(database, 'postgres'), max: 1 })
      try {
        await client.unsafe('SELECT 1')
        others.push(client)
        return true
      } catch {
        await client.close({ timeout: 0 })
        return false
      }
    }
    expect(await held()).toBe(true)
    // The gateway's connections are ended, and others take their places.
    await eventually(async () => {
      const [other] = others
      await other?.unsafe('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database])
      while (await held());
      const own = await other?.unsafe('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database])
      expect(own).toHaveLength(0)
    })
    await expectRefused(gateway, first.json.data.id)
    await eventually(async () => expect(await gateway.ready()).toEqual({ status: 503, database: 'cannot be reached' }))
    await Promise.all(others.map(other => other.close({ timeout: 0 })))

    await eventually(async () => expect((await gateway.sendAs('order-2')).status).toBe(201))
    await expectOnce(gateway, ['order-1', 'order-2'])
  })

  test.skipIf(!canMount)('with a full disk: 503, nothing is sent, and on again once there is space', async () => {
    opened = new AsyncDisposableStack()
    const disk = mountSmallDisk(256 * 1024)
    opened.defer(() => disk.remove())
    chmodSync(disk.folder, 0o755)
    const server = await startPostgres({ max_wal_size: '64MB', restart_after_crash: 'on' }, disk.folder)
    opened.defer(() => server.remove())
    const gateway = await startGateway(await server.createDatabase())

    disk.fill(process.pid)
    const accepted: string[] = []
    for (let count = 0; ; count += 1) {
      const keys = Array.from({ length: 50 }, (_, at) => `filling-${count}-${at}`)
      const answers = await Promise.all(keys.map(gateway.sendAs))
      accepted.push(...keys.filter((_, at) => (answers[at]?.status ?? 0) < 300))
      const refused = answers.filter(({ status }) => status >= 300)
      for (const { status, headers } of refused) {
        expect(status).toBe(503)
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      }
      if (refused.length > 0) break
    }
    await eventually(async () => expect((await gateway.ready()).status).toBe(503))
    disk.free(process.pid)

    await eventually(async () => {
      // A server that cannot even write its log ends, maybe only now; whoever runs it starts it again.
      if (server.hasEnded()) await server.start()
      // What an attempt has stored without being answered is replayed to the next one: it has the same key.
      expect([200, 201]).toContain((await gateway.sendAs('afterwards')).status)
    }, hungAfterMs)
    await eventually(async () => expect(await gateway.ready()).toEqual({ status: 200, database: 'ok' }))
    await expectOnce(gateway, [...accepted, 'afterwards'])
  })
})
