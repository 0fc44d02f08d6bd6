import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { hourMs } from '../../src/base/durations.ts'
import type { Gateway } from '../../src/serve.ts'
import { eventually } from '../eventually.ts'
import { startBareGateway, startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { addWebhook, webhookEnv } from '../webhooks/webhooks.ts'

const endpoints = 4

describe.skipIf(!hasPostgres)('endpoints of webhooks, of two instances on one database', () => {
  let server: PostgresServer
  let receiver: Receiver
  let first: TestGateway
  let second: Gateway | undefined
  let client: SQL
  let databaseUrl: string
  let aheadMs = 0
  const machine: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    receiver = startReceiver()
    databaseUrl = await server.createDatabase()
    client = new SQL({ url: databaseUrl, max: 1 })
    first = await startTestGateway({ env: { ...webhookEnv, DATABASE_URL: databaseUrl } })
  }, hungAfterMs)
  afterAll(async () => {
    await second?.stop()
    await first.stop()
    await client.close()
    await receiver.stop()
    await server.remove()
  })

  const owned = async () => {
    const rows: { count: number }[] = await client.unsafe(
      `SELECT count(*)::int AS count FROM webhook_endpoints WHERE instance_seq IS NOT NULL
       GROUP BY instance_seq ORDER BY instance_seq`,
    )
    return rows.map(({ count }) => count)
  }

  test(
    'go to one that starts later, away from it while it is not ready, and back; each event comes once',
    async () => {
      for (let at = 0; at < endpoints; at += 1) await addWebhook(first, { url: `${receiver.url}?${at}` })
      let sent = 0
      /** Events come all the time, while endpoints move. */
      const until = async (counts: readonly number[]) => {
        await eventually(async () => {
          sent += 1
          const phone = `+49151${10_000_000 + sent}`
          expect((await first.send({ type: 'text', phone, content: 'Hello' })).status).toBe(201)
          expect(await owned()).toEqual([...counts])
        })
      }
      await until([4])
      const { upstream, dataDir } = first
      second = await startBareGateway(
        { DATA_DIR: dataDir, CHANNEL_API_URL: upstream.url, DATABASE_URL: databaseUrl, ...webhookEnv },
        { clock: new DatabaseClock(machine) },
      )
      await until([2, 2])
      aheadMs = hourMs
      await until([4])
      aheadMs = 0
      await until([2, 2])
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(endpoints * sent))
      const perEvent = Map.groupBy(receiver.received, ({ id }) => id)
      expect(perEvent.size).toBe(sent)
      for (const [, deliveries] of perEvent) expect(deliveries).toHaveLength(endpoints)
    },
    hungAfterMs,
  )
})
