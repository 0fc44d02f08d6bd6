import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { rateWindowMs } from '../../src/base/rateLimits.ts'
import { families } from '../../src/monitoring/families.ts'
import { boundedBacklogs } from '../../src/monitoring/readings.ts'
import { callbackUrl, status } from '../callbacks/report.ts'
import { addPerson } from '../console/people.ts'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { hungAfterMs } from '../timeLimit.ts'
import { accept, graphError, postCallback, statusCallback } from '../upstream.ts'
import { describedIn, type Sample, samplesOf, sampleValue } from './samples.ts'

const token = 'a-token-of-metrics'

/**
 * The machine's time, set back to where the window of the rate limits has begun: it does not end between two requests.
 * A clock that stands still would measure nothing.
 */
const setBackMs = Date.now() % rateWindowMs
const clock: Clock = { ...systemClock, now: () => systemClock.now() - setBackMs }

const gateway = sharedFixture(() =>
  startTestGateway({
    clock,
    env: { METRICS_PORT: '0', SEND_WORKERS: '2', PUBLIC_API_KEY_RATE_LIMIT: '8' },
  }),
)

async function scrape(): Promise<Sample[]> {
  const response = await fetch(gateway.gateway.metricsUrl ?? '')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return samplesOf(await response.text())
}
const text = (phone: string) => ({ type: 'text', phone, content: 'Hello' })

describe('the metrics of a gateway that has worked', () => {
  let samples: Sample[]
  const value = (name: string, labels?: Record<string, string>) => sampleValue(samples, name, labels)

  beforeAll(async () => {
    const { upstream, send } = gateway
    await scrape()
    for (const phone of ['+15550100200', '+15550100201']) expect((await send(text(phone))).status).toBe(201)
    upstream.answer = () => graphError(400, { code: 131026, message: 'Undeliverable' })
    expect((await send(text('+15550100202'))).status).toBe(400)
    upstream.answer = () => graphError(400, { code: 987654, message: 'New' })
    expect((await send(text('+15550100203'))).status).toBe(400)
    upstream.answer = () => new Response('', { status: 502 })
    expect((await send(text('+15550100204'))).json.data.status).toBe('UNKNOWN')
    upstream.answer = accept
    expect((await send({ type: 'text', phone: 'x' })).json.error).toBe('VALIDATION_ERROR')
    const [sent] = (await gateway.messages()).filter(message => message.status === 'SENT')
    const known = status(sent?.channelMessageId ?? '', 'delivered')
    await postCallback(callbackUrl(gateway), statusCallback(known, status('wamid.none', 'read')), gateway.appSecret)
    await postCallback(callbackUrl(gateway), statusCallback(known), 'wrong')
    await fetch(callbackUrl(gateway), { method: 'POST', body: '{}' })
    await postCallback(callbackUrl(gateway), '{', gateway.appSecret)
    const refused = []
    for (let count = 0; count < 4; count += 1)
      refused.push((await send({}, { apiSecret: gateway.key.apiSecret })).status)
    expect(refused).toEqual([400, 400, 429, 429])
    await eventually(async () => {
      samples = await scrape()
      expect(value('waypost_event_loop_lag_seconds_count', { thread: 'writer' })).toBeGreaterThan(0)
    })
  })

  test('count sends by outcome and code, and codes that are not known as one', () => {
    expect(value('waypost_sends_total', { outcome: 'accepted', code: 'none' })).toBe(2)
    expect(value('waypost_sends_total', { outcome: 'refused', code: '131026' })).toBe(1)
    expect(value('waypost_sends_total', { outcome: 'refused', code: 'other' })).toBe(1)
    expect(value('waypost_sends_total', { outcome: 'unknown', code: 'none' })).toBe(1)
    expect(value('waypost_upstream_attempts_total', { result: 'lost', code: 'none' })).toBe(1)
    expect(value('waypost_unknown_messages')).toBe(1)
    expect(value('waypost_unknown_oldest_age_seconds')).toBeGreaterThan(0)
  })

  test.each(['accept', 'wait', 'upstream', 'settle'])('time the stage %s of each send', stage => {
    expect(value('waypost_send_stage_seconds_count', { stage })).toBe(5)
    expect(value('waypost_send_stage_seconds_bucket', { stage, le: '+Inf' })).toBe(5)
    const sum = value('waypost_send_stage_seconds_sum', { stage })
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(hungAfterMs / 1_000)
  })

  test('count requests by answer, and those over a limit by the limit', () => {
    expect(value('waypost_partner_requests_total', { answer: 'ok' })).toBe(3)
    expect(value('waypost_partner_requests_total', { answer: 'CHANNEL_GRAPH_ERROR' })).toBe(2)
    expect(value('waypost_partner_requests_total', { answer: 'VALIDATION_ERROR' })).toBe(3)
    expect(value('waypost_partner_requests_total', { answer: 'RATE_LIMIT_EXCEEDED' })).toBe(2)
    expect(value('waypost_rate_limit_refusals_total', { limit: 'key' })).toBe(2)
  })

  test('count callbacks and statuses by what became of them', () => {
    for (const result of ['stored', 'wrong_signature', 'unsigned', 'unreadable']) {
      expect([result, value('waypost_callbacks_total', { result })]).toEqual([result, 1])
    }
    expect(value('waypost_callback_statuses_total', { result: 'applied' })).toBe(1)
    expect(value('waypost_callback_statuses_total', { result: 'parked' })).toBe(1)
  })

  test('show commits, files, every thread, readiness and the process', () => {
    expect(value('waypost_commit_sync_seconds_count')).toBeGreaterThan(5)
    expect(value('waypost_commit_batch_size_sum')).toBeGreaterThanOrEqual(value('waypost_commit_batch_size_count') ?? 0)
    for (const file of ['database', 'wal']) expect(value('waypost_database_size_bytes', { file })).toBeGreaterThan(0)
    for (const thread of ['main', 'writer', 'sender-1', 'sender-2']) {
      expect(value('waypost_event_loop_lag_seconds_count', { thread })).toBeDefined()
    }
    for (const part of ['gateway', 'writer', 'senders', 'disk', 'database']) {
      expect([part, value('waypost_ready', { part })]).toEqual([part, 1])
    }
    for (const worker of ['sender', 'notifier']) expect(value('waypost_worker_restarts_total', { worker })).toBe(0)
    for (const state of ['working', 'failing', 'disabled', 'off'])
      expect(value('waypost_webhook_endpoints', { state })).toBe(0)
    expect(value('waypost_webhook_oldest_event_age_seconds')).toBe(0)
    expect(value('waypost_webhook_attempts_total', { result: 'delivered' })).toBe(0)
    expect(value('waypost_event_stream_clients')).toBe(0)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
    expect(Math.abs((value('process_start_time_seconds') ?? 0) - Date.now() / 1_000)).toBeLessThan(10_000)
  })

  test('have no number, text or secret of anybody in a label', () => {
    const labels = JSON.stringify(samples.map(sample => sample.labels))
    for (const secret of ['5550100', 'Hello', gateway.key.apiKey, gateway.key.apiSecret, 'access-token']) {
      expect(labels).not.toContain(secret)
    }
  })
})

test('the backlog of a line is shown while the upstream is slow, with its age', async () => {
  const held = Promise.withResolvers<void>()
  const slow = await startTestGateway({ env: { METRICS_TOKEN: token, SEND_WAIT_MS: '0' } })
  try {
    slow.upstream.answer = async received => {
      await held.promise
      return accept(received)
    }
    const line = await slow.addLine({ perSecond: 1 })
    for (const phone of ['+15550100200', '+15550100201']) await slow.send({ ...text(phone), phoneNumberId: line.id })
    await eventually(async () => {
      const answer = await slow.get('/metrics', undefined)
      expect(answer.status).toBe(401)
      const scraped = await fetch(`${slow.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      const samples = samplesOf(await scraped.text())
      expect(sampleValue(samples, 'waypost_queue_messages', { line: line.id, state: 'in_flight' })).toBeGreaterThan(0)
      expect(sampleValue(samples, 'waypost_queue_oldest_message_age_seconds', { line: line.id })).toBeGreaterThan(0)
    })
  } finally {
    held.resolve()
    await slow.stop()
  }
})

test('who follows the live events of a workspace is counted for as long', async () => {
  const { accessToken } = await addPerson(gateway, 'viewer')
  const clients = async () => sampleValue(await scrape(), 'waypost_event_stream_clients')
  expect(await clients()).toBe(0)
  const connection = new AbortController()
  const stream = await fetch(`${gateway.url}/api/v1/workspaces/${gateway.workspaceId}/events`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: connection.signal,
  })
  expect(stream.status).toBe(200)
  expect(await clients()).toBe(1)
  connection.abort()
  await eventually(async () => expect(await clients()).toBe(0))
})

test('at most a hundred lines have a series of their own, those with the longest backlogs', () => {
  const backlogs = Array.from({ length: 150 }, (_, at) => ({
    lineId: `line_${at}`,
    waiting: at,
    underWay: 1,
    oldestAt: at < 10 ? null : 1_000 - at,
  }))
  const bounded = boundedBacklogs(backlogs)
  expect(bounded).toHaveLength(101)
  expect(bounded[0]).toMatchObject({ lineId: 'line_149' })
  // 0 to 49 are together: 49 * 50 / 2 wait.
  expect(bounded.at(-1)).toEqual({ lineId: 'other', waiting: 1_225, underWay: 50, oldestAt: 951 })
})

test('every metric is in the table of docs/reference.md, with its type and labels, and no other', () => {
  const document = readFileSync(join(import.meta.dir, '../../docs/reference.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `((?:waypost|process)_\w+)` \| (\w+) \| (.*?) ?\| /gm)]
  const table = rows.map(([, name, type, labels = '']) => [name, type, [...labels.matchAll(/\w+/g)].map(String)])
  expect(table).toEqual(families.map(({ name, type, labels }) => [name, type, [...labels]]))
})

describe('where they are served', () => {
  test('404 NOT_FOUND: nowhere by default, as any path that is not known', async () => {
    const plain = await startTestGateway()
    try {
      expect(plain.gateway.metricsUrl).toBeNull()
      const [metrics, unknown] = await Promise.all(['/metrics', '/nothing'].map(path => fetch(plain.url + path)))
      expect(await metrics?.text()).toBe((await unknown?.text()) ?? '')
      expect([metrics?.status, unknown?.status]).toEqual([404, 404])
    } finally {
      await plain.stop()
    }
  })

  test('404 NOT_FOUND: not beside the API when they have a port of their own, which serves nothing else', async () => {
    const { url, gateway: running } = gateway
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect((await fetch(new URL('/livez', running.metricsUrl ?? ''))).status).toBe(404)
    expect((await fetch(running.metricsUrl ?? '', { method: 'POST' })).status).toBe(404)
    expect(new URL(running.metricsUrl ?? '').hostname).toBe('127.0.0.1')
  })

  test('401 UNAUTHORIZED: with a token, nobody reads them without it, on either port', async () => {
    for (const env of [{ METRICS_TOKEN: token }, { METRICS_TOKEN: token, METRICS_PORT: '0' }]) {
      const guarded = await startTestGateway({ env })
      const ask = async (authorization?: string) => {
        const headers = authorization === undefined ? {} : { authorization }
        return (await fetch(guarded.gateway.metricsUrl ?? '', { headers })).status
      }
      try {
        const wrong = [undefined, `Bearer ${token}x`, `Basic ${token}`, token, 'Bearer ', `Bearer ${token} x`]
        for (const authorization of wrong)
          expect([authorization, await ask(authorization)]).toEqual([authorization, 401])
        expect(await ask(`Bearer ${token}`)).toBe(200)
        expect(await ask(`bearer ${token}`)).toBe(200)
      } finally {
        await guarded.stop()
      }
    }
  })

  test('a port in use stops the start with a sentence that names the setting', async () => {
    const { port } = new URL(gateway.gateway.metricsUrl ?? '')
    const dataDir = mkdtempSync(join(tmpdir(), 'waypost-metrics-'))
    const started = startTestGateway({ env: { METRICS_PORT: port }, upstream: gateway.upstream, dataDir })
    await expect(started).rejects.toThrow(/METRICS_PORT/)
    rmSync(dataDir, { recursive: true })
  })
})

test('each metric has a help and a type, once', async () => {
  const scraped = await (await fetch(gateway.gateway.metricsUrl ?? '')).text()
  expect(describedIn(scraped)).toEqual(families.map(({ name, type, help }) => ({ name, type, help })))
})
