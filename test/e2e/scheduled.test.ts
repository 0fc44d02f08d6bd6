import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import type { Gateway } from '../../src/serve.ts'
import { eventually } from '../eventually.ts'
import { startBareGateway, startTestGateway, type TestGateway } from '../gateway.ts'
import { hasPostgres, type PostgresServer, startPostgres, unsynced } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { accept } from '../upstream.ts'

const count = 60
const inMs = 2 * minuteMs

/*
 * Messages of one minute, and a gateway that stops while it sends them: another one goes on, and none is sent twice.
 */
describe.each([
  ['SQLite, by the next start', false],
  ['PostgreSQL, by an instance beside it', true],
])('scheduled messages on %s', (_, isShared) => {
  const isLeftOut = isShared && !hasPostgres
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  let server: PostgresServer | null = null
  let first: TestGateway
  let second: Gateway | null = null
  let env: Record<string, string> = {}

  beforeAll(async () => {
    if (isLeftOut) return
    server = isShared ? await startPostgres(unsynced) : null
    env = server ? { DATABASE_URL: await server.createDatabase() } : {}
    first = await startTestGateway({ clock, env })
    // Slow enough for a stop in their midst.
    first.upstream.answer = async received => {
      await Bun.sleep(30)
      return accept(received)
    }
  }, hungAfterMs)
  afterAll(async () => {
    await second?.stop()
    if (!isLeftOut) await first.stop()
    await server?.remove()
  })

  test.skipIf(isLeftOut)(
    'leave once each, when one that releases them stops',
    async () => {
      const { upstream, dataDir, workspaceId } = first
      const start = () => startBareGateway({ DATA_DIR: dataDir, CHANNEL_API_URL: upstream.url, ...env }, { clock })
      if (isShared) second = await start()
      // A line with a pace: it has room for a few at a time.
      await first.gateway.store.write.changeLine({ lineId: first.line.id, perSecond: 20 })
      const sendAt = new Date(clock.now() + inMs).toISOString()
      for (let at = 0; at < count; at += 1) {
        const phone = `+49151${10_000_000 + at}`
        expect((await first.send({ type: 'text', phone, content: 'Hello', sendAt })).json.data.status).toBe('SCHEDULED')
      }
      aheadMs = inMs
      const sent = () => upstream.received.map(({ json }) => json.biz_opaque_callback_data)
      await eventually(() => expect(sent().length).toBeGreaterThan(count / 6))
      await first.gateway.stop()
      second ??= await start()
      const { store } = second
      await eventually(async () => {
        const messages = await store.read.messages({ workspaceId, limit: count })
        expect(messages.filter(({ status }) => status === 'SENT')).toHaveLength(count)
      })
      expect([sent().length, new Set(sent()).size]).toEqual([count, count])
    },
    hungAfterMs,
  )
})

// What a database on a server decides, where the belief of an instance is wrong: one that has slept, or a lease that ended.
describe.skipIf(!hasPostgres)('two instances that both believe to lead', () => {
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  let server: PostgresServer
  let first: TestGateway
  let second: Gateway

  beforeAll(async () => {
    server = await startPostgres(unsynced)
    const env = { DATABASE_URL: await server.createDatabase() }
    first = await startTestGateway({ clock, env })
    const { upstream, dataDir } = first
    second = await startBareGateway({ DATA_DIR: dataDir, CHANNEL_API_URL: upstream.url, ...env }, { clock })
  }, hungAfterMs)
  afterAll(async () => {
    await second.stop()
    await first.stop()
    await server.remove()
  })

  test(
    'release each message of one minute once, also where its caller repeats it meanwhile',
    async () => {
      const { upstream, workspaceId, gateway } = first
      const leads = [gateway, second].map(({ store: { shared } }) => {
        if (shared === null) throw new Error('the database is no shared one')
        return spyOn(shared, 'leads').mockResolvedValue(true)
      })
      const sendAt = new Date(clock.now() + inMs).toISOString()
      const bodies = Array.from({ length: count }, (_, at) => {
        const phone = `+49151${20_000_000 + at}`
        return { type: 'text', phone, content: 'Hello', sendAt, idempotencyKey: `order-${at}` }
      })
      const ids = await Promise.all(bodies.map(async body => (await first.send(body)).json.data.id as string))
      aheadMs = inMs
      const repeated = await Promise.all(bodies.map(async body => (await first.send(body)).json.data))
      expect(repeated.map(({ id, idempotentReplay }) => [id, idempotentReplay])).toEqual(ids.map(id => [id, true]))
      await eventually(async () => {
        const messages = await second.store.read.messages({ workspaceId, limit: count })
        expect(messages.filter(({ status }) => status === 'SENT')).toHaveLength(count)
      })
      const sent = upstream.received.map(({ json }) => String(json.biz_opaque_callback_data))
      expect(sent.toSorted()).toEqual(ids.toSorted())
      // A second release of a message would count it again.
      const usage = await second.store.read.usage({ workspaceId, limit: 2 })
      expect(usage.reduce((sum, { used }) => sum + used, 0)).toBe(count)
      for (const { mock } of leads) expect(mock.calls.length).toBeGreaterThan(0)
    },
    hungAfterMs,
  )
})
