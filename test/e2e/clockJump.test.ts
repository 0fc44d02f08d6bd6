import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { Shared } from '../../db/contract/shared.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import { RunningTime } from '../../src/base/runningTime.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { type Receiver, startReceiver, took } from '../webhooks/receiver.ts'
import { addWebhook, webhookEnv } from '../webhooks/webhooks.ts'

/** Longer than a key is in force. */
const jumpMs = 25 * hourMs
const sends = 30
/** The second wait of the schedule of deliveries, with its share that is random; the first is seconds. */
const stepMsMax = 1.2 * 5 * minuteMs

/** A gateway whose time a test sets; its steady clock goes on. */
interface Jumping {
  readonly gateway: TestGateway
  /** Resolves once the gateway has the new time. */
  jump(byMs: number): Promise<void>
  stop(): Promise<void>
}

async function onSqlite(): Promise<Jumping> {
  let aheadMs = 0
  const machine = { now: () => systemClock.now() + aheadMs, steady: systemClock.steady }
  const running = new RunningTime(machine)
  const clock: Clock = { ...systemClock, ...machine, ago: ms => running.ago(ms) }
  const gateway = await startTestGateway({ clock, env: webhookEnv })
  return {
    gateway,
    async jump(byMs) {
      aheadMs += byMs
    },
    stop: () => gateway.stop(),
  }
}

/** The server's own clock jumps: what every instance and every statement asks. */
async function onPostgres(): Promise<Jumping> {
  const server: PostgresServer = await startPostgres({ fsync: 'off' })
  const url = await server.createDatabase()
  const client = new SQL({ url, max: 1 })
  // Found before that of the server.
  await client.unsafe('CREATE TABLE ahead (ms bigint)')
  await client.unsafe('INSERT INTO ahead VALUES (0)')
  await client.unsafe(
    `CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
     $$ SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM public.ahead) * interval '1 millisecond' $$`,
  )
  await client.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
  const clock = new DatabaseClock(systemClock)
  const gateway = await startTestGateway({ clock, env: { ...webhookEnv, DATABASE_URL: url } })
  return {
    gateway,
    async jump(byMs) {
      const before = clock.now()
      await client.unsafe(`UPDATE ahead SET ms = ms + ${byMs}`)
      await eventually(() => expect(Math.abs(clock.now() - before)).toBeGreaterThan(Math.abs(byMs) / 2))
    },
    async stop() {
      await gateway.stop()
      await client.close()
      await server.remove()
    },
  }
}

const engines = [
  ['on SQLite', true, onSqlite],
  ['on PostgreSQL', hasPostgres, onPostgres],
] as const

describe.each(engines)('a time that jumps 25 hours ahead and back, %s', (_, isHere, start) => {
  let jumping: Jumping
  let receiver: Receiver
  beforeAll(async () => {
    if (!isHere) return
    receiver = startReceiver()
    jumping = await start()
  }, hungAfterMs)
  afterEach(() => {
    receiver.answer = took
  })
  afterAll(async () => {
    await jumping?.stop()
    await receiver?.stop()
  })

  test.skipIf(!isHere)(
    'forgets no key, keeps no delivery back for longer than a step, and is told',
    async () => {
      const { gateway, jump } = jumping
      const { read, shared } = gateway.gateway.store
      const line = await gateway.addLine({ perSecond: 80 })
      const endpointId = await addWebhook(gateway, { url: receiver.url })
      const send = async (at: number) => {
        const sent = { type: 'text', phone: `+49151${10_000_000 + at}`, content: 'Hello', phoneNumberId: line.id }
        const { status } = await gateway.send({ ...sent, idempotencyKey: `order-${at}` })
        return status
      }
      const sendAll = () => Promise.all(Array.from({ length: sends }, (_, at) => send(at)))
      expect(new Set(await sendAll())).toEqual(new Set([201]))
      const untilUpstreamGot = (count: number) =>
        eventually(() => expect(gateway.upstream.received).toHaveLength(count))
      await untilUpstreamGot(sends)

      await jump(jumpMs)
      expect(new Set(await sendAll())).toEqual(new Set([200]))
      await gateway.gateway.jobs.trigger('prune')
      expect(new Set(await sendAll())).toEqual(new Set([200]))
      // What happens meanwhile is put off by the time that is ahead.
      receiver.answer = () => new Response('', { status: 500 })
      for (let at = sends; at < sends + 4; at += 1) expect(await send(at)).toBe(201)
      const pending = async () => (await read.deliveries({ endpointId, limit: 100 })).filter(({ nextAt }) => nextAt)
      await eventually(async () => expect(await pending()).not.toEqual([]))

      await jump(-jumpMs)
      expect(new Set(await sendAll())).toEqual(new Set([200]))
      await untilUpstreamGot(sends + 4)
      await eventually(async () => {
        const waits = (await pending()).map(({ nextAt }) => (nextAt ?? 0) - gateway.gateway.store.clock.now())
        expect(waits.filter(ms => ms > stepMsMax)).toEqual([])
      })
      // The line has its pace, and no message waits for the day that is not yet there.
      expect(await send(sends + 4)).toBe(201)
      await untilUpstreamGot(sends + 5)
      await expectOwnedSoon(shared)
      await eventually(async () => {
        const ready = await (await fetch(`${gateway.url}/readyz`)).text()
        expect(ready).toContain('clockJumped')
      })
    },
    hungAfterMs,
  )
})

/** The leases of several instances are in force again, by the time that is right. */
async function expectOwnedSoon(shared: Shared | null): Promise<void> {
  if (shared === null) return
  await eventually(async () => expect(await shared.leads()).toBe(true))
  await eventually(async () => expect((await shared.claimWebhooks({ isReady: true })).ids).toHaveLength(1))
}
