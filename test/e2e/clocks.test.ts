import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { DatabaseClock } from '../../src/base/databaseClock.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { rateWindowMs } from '../../src/base/rateLimits.ts'
import type { Gateway } from '../../src/serve.ts'
import { eventually } from '../eventually.ts'
import { type Key, startBareGateway, startTestGateway, type TestGateway } from '../gateway.ts'
import { samplesOf, sampleValue } from '../monitoring/samples.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../postgres.ts'
import { hungAfterMs } from '../timeLimit.ts'

const keyLimit = 6
/** A key lives for 24 hours. */
const beyondKeysMs = 25 * hourMs
const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }

describe.skipIf(!hasPostgres)('two machines on one database, one of them with a wrong clock', () => {
  let server: PostgresServer
  let right: TestGateway
  let wrong: Gateway
  let aheadMs = 0
  const machine: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    const env = {
      DATABASE_URL: await server.createDatabase(),
      SECRET_KEY: 'one-key-for-all-of-the-instances',
      PUBLIC_API_KEY_RATE_LIMIT: String(keyLimit),
      METRICS_TOKEN: 'a-token-of-metrics',
    }
    right = await startTestGateway({ env })
    const { upstream, dataDir } = right
    // From its start on.
    aheadMs = beyondKeysMs
    wrong = await startBareGateway(
      { DATA_DIR: dataDir, CHANNEL_API_URL: upstream.url, ...env },
      { clock: new DatabaseClock(machine) },
    )
  })
  afterEach(() => {
    aheadMs = beyondKeysMs
  })
  afterAll(async () => {
    await wrong.stop()
    await right.stop()
    await server.remove()
  })

  async function send(url: string, key: Key, fields: object = {}) {
    const answer = await fetch(`${url}/api/v1/public/messages/send`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ ...text, ...fields }),
    })
    const { data, error } = (await answer.json()) as { data?: { id: string; createdAt: string }; error?: string }
    return { status: answer.status, data, error }
  }

  test.each([
    ['right', 'wrong'],
    ['wrong', 'right'],
  ] as const)('a key that was sent with the %s clock is replayed with the %s one', async (first, second) => {
    const urls = { right: right.url, wrong: wrong.url }
    const key = await right.createKey()
    const sentBefore = right.upstream.received.length
    const sent = await send(urls[first], key, { idempotencyKey: 'order-1' })
    const replayed = await send(urls[second], key, { idempotencyKey: 'order-1' })
    expect([sent.status, replayed.status, replayed.data?.id]).toEqual([201, 200, sent.data?.id])
    expect(right.upstream.received.length).toBe(sentBefore + 1)
  })

  test.each([
    ['back', -10 * dayMs],
    ['ahead', 10 * dayMs],
  ])('a clock that is set %s while the gateway runs changes nothing of it', async (_, byMs) => {
    const key = await right.createKey()
    const sent = await send(right.url, key, { idempotencyKey: 'order-1' })
    aheadMs += byMs
    expect(await send(wrong.url, key, { idempotencyKey: 'order-1' })).toMatchObject({
      status: 200,
      data: { id: sent.data?.id },
    })
    const later = await send(wrong.url, key)
    expect(Math.abs(Date.parse(later.data?.createdAt ?? '') - Date.now())).toBeLessThan(hungAfterMs)
  })

  test('messages count in the month that it is for the database', async () => {
    const { workspaceId, key } = await right.addWorkspace()
    const { write } = right.gateway.store
    await write.setMonthlyLimit({ workspaceId, limit: 2 })
    aheadMs = 40 * dayMs
    const sent = [await send(wrong.url, key), await send(right.url, key), await send(wrong.url, key)]
    expect(sent.map(({ status, error }) => [status, error])).toEqual([
      [201, undefined],
      [201, undefined],
      [402, 'PLAN_LIMIT_EXCEEDED'],
    ])
  })

  test('the limit of a key counts in the same window', async () => {
    const key = await right.createKey()
    // Requests of two windows are not over one limit.
    const leftMs = rateWindowMs - (Date.now() % rateWindowMs)
    if (leftMs < 5_000) await Bun.sleep(leftMs)
    const answers = await Promise.all(
      Array.from({ length: 2 * keyLimit }, (_, at) =>
        fetch(`${at % 2 === 0 ? right.url : wrong.url}/api/v1/public/templates`, { headers: { ...key } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(keyLimit)
    const waits = answers
      .filter(({ status }) => status === 429)
      .map(({ headers }) => Number(headers.get('retry-after')))
    expect(waits.length).toBe(keyLimit)
    for (const wait of waits) expect(wait * 1_000).toBeLessThanOrEqual(rateWindowMs)
  })

  test('503 SERVICE_UNAVAILABLE: it is not ready, as its metrics say, until its clock is right again', async () => {
    const look = async () => {
      const [answer, metrics] = await Promise.all([
        fetch(`${wrong.url}/readyz`),
        fetch(`${wrong.url}/metrics`, { headers: { authorization: 'Bearer a-token-of-metrics' } }),
      ])
      const samples = samplesOf(await metrics.text())
      const { parts, details } = (await answer.json()) as { parts?: object; details?: { parts: object } }
      return {
        status: answer.status,
        parts: parts ?? details?.parts,
        ready: sampleValue(samples, 'waypost_ready', { part: 'clock' }),
        ahead: Math.round(sampleValue(samples, 'waypost_clock_ahead_seconds') ?? Number.NaN),
      }
    }
    await eventually(async () =>
      expect(await look()).toEqual({
        status: 503,
        parts: { senders: 'ok', database: 'ok', clock: '90000 s ahead of that of the database' },
        ready: 0,
        ahead: 90_000,
      }),
    )
    aheadMs = 0
    await eventually(async () =>
      expect(await look()).toEqual({
        status: 200,
        parts: { senders: 'ok', database: 'ok', clock: 'ok' },
        ready: 1,
        ahead: 0,
      }),
    )
  })
})
