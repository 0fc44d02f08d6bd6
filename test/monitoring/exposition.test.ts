import { afterEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { noBackups } from '../../src/backup/status.ts'
import { startMetricsListener } from '../../src/http/metrics.ts'
import { createExposition } from '../../src/monitoring/exposition.ts'
import type { ReadingParts } from '../../src/monitoring/readings.ts'
import { Histogram, Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'
import { samplesOf, sampleValue } from './samples.ts'

const now = 1_800_000_000_000

/** A gateway at rest, with what a test changes of it. */
const parts = (changes: Partial<ReadingParts> = {}): ReadingParts => ({
  metrics: new Metrics(),
  store: {
    read: {
      unknownMessages: async () => ({ count: 0, since: null }),
      webhookStates: async () => ({ working: 0, failing: 0, disabled: 0, off: 0, waitingSince: null }),
    },
    shared: null,
    measures: async () => null,
  },
  senders: { restarts: 0, measures: async () => [null] },
  notifier: { restarts: 0, measures: async () => null },
  outbox: { backlogs: () => [] },
  databasePath: '/nowhere/waypost.db',
  lag: new Histogram([1]),
  feed: { listeners: 0 },
  backups: { status: noBackups, due: { make: null, upload: null } },
  media: { storedBytes: null, storageBytesMax: 0 },
  clockAheadMs: () => null,
  queueMax: 10_000,
  checkReadiness: async () => ({ writer: 'ok' }),
  isStopping: () => false,
  version: '0.0.0',
  clock: new ManualClock(now),
  ...changes,
})

const scrape = async (changes: Partial<ReadingParts> = {}) =>
  samplesOf(await (await createExposition(parts(changes))).text())

describe('what cannot be read', () => {
  test('of the database is left out, and all else is shown', async () => {
    const damaged = () => Promise.reject(new Error('database disk image is malformed'))
    const store = {
      read: { unknownMessages: damaged, webhookStates: damaged },
      shared: null,
      measures: async () => null,
    }
    const samples = await scrape({ store, checkReadiness: async () => ({ database: 'is damaged' }) })
    expect(sampleValue(samples, 'waypost_ready', { part: 'database' })).toBe(0)
    expect(sampleValue(samples, 'waypost_unknown_messages')).toBeUndefined()
    expect(sampleValue(samples, 'waypost_database_size_bytes', { file: 'wal' })).toBe(0)
  })

  test('of a file is left out where a server keeps the database', async () => {
    const samples = await scrape({ databasePath: null })
    expect(samples.filter(({ name }) => name === 'waypost_database_size_bytes')).toEqual([])
    expect(sampleValue(samples, 'waypost_unknown_messages')).toBe(0)
  })

  test('of a thread that never answered is left out', async () => {
    const samples = await scrape()
    expect(samples.filter(({ labels }) => labels.thread !== undefined && labels.thread !== 'main')).toEqual([])
  })
})

test('buckets count all values up to their end, the last one all of them', async () => {
  const metrics = new Metrics()
  for (const seconds of [0.0004, 0.002, 0.002, 5_000]) metrics.stages.wait.observe(seconds)
  const samples = await scrape({ metrics })
  const upTo = (le: string) => sampleValue(samples, 'waypost_send_stage_seconds_bucket', { stage: 'wait', le })
  expect(['0.0005', '0.001', '0.0025', '1800', '+Inf'].map(upTo)).toEqual([1, 1, 3, 3, 4])
  expect(sampleValue(samples, 'waypost_send_stage_seconds_sum', { stage: 'wait' })).toBeCloseTo(5_000.0044)
  expect(sampleValue(samples, 'waypost_send_stage_seconds_count', { stage: 'wait' })).toBe(4)
})

test('a count is shown as it is at each scrape, and scrapes at the same time read it once', async () => {
  let reads = 0
  const metrics = new Metrics()
  const exposition = await createExposition(
    parts({
      metrics,
      async checkReadiness() {
        reads += 1
        return {}
      },
    }),
  )
  metrics.sends.add('refused/190', 2)
  const [one, other] = await Promise.all([exposition.text(), exposition.text()])
  expect([one === other, reads]).toEqual([true, 1])
  metrics.sends.add('refused/190')
  const counts = [one, await exposition.text()].map(text =>
    sampleValue(samplesOf(text), 'waypost_sends_total', { outcome: 'refused', code: '190' }),
  )
  expect(counts).toEqual([2, 3])
})

test('the difference of the clocks is shown where they are compared', async () => {
  expect(sampleValue(await scrape(), 'waypost_clock_ahead_seconds')).toBeUndefined()
  const behind = await scrape({ clockAheadMs: () => -1_500 })
  expect(sampleValue(behind, 'waypost_clock_ahead_seconds')).toBe(-1.5)
})

describe('backups', () => {
  const made = { at: now - 60_000, file: 'a', bytes: 1, messages: 1, seconds: 1 }

  test('without one there is no time of it, and none has failed', async () => {
    const samples = await scrape()
    expect(sampleValue(samples, 'waypost_backup_last_success_timestamp_seconds')).toBeUndefined()
    expect(sampleValue(samples, 'waypost_backup_failed')).toBe(0)
  })

  test('the time of the last one is shown, and a failure until the next success', async () => {
    const failure = { since: now - 9_000, at: now - 1_000, reason: 'no space' }
    const status = { ...noBackups, lastBackup: made }
    const due = { make: now + 500, upload: now - 7_000 }
    const samples = await scrape({ backups: { status: { ...status, makeFailure: failure }, due } })
    expect(sampleValue(samples, 'waypost_backup_last_success_timestamp_seconds')).toBe((now - 60_000) / 1_000)
    expect(sampleValue(samples, 'waypost_backup_due_timestamp_seconds')).toBe(Math.floor((now + 500) / 1_000))
    expect(sampleValue(samples, 'waypost_backup_upload_due_timestamp_seconds')).toBe(Math.floor((now - 7_000) / 1_000))
    expect(sampleValue(samples, 'waypost_backup_failed')).toBe(1)
    const unsent = await scrape({ backups: { due, status: { ...status, uploadFailure: failure } } })
    expect(sampleValue(unsent, 'waypost_backup_failed')).toBe(1)
    expect(sampleValue(await scrape({ backups: { due, status } }), 'waypost_backup_failed')).toBe(0)
  })
})

describe('the listener for metrics', () => {
  let stop = async () => {}
  afterEach(() => stop())

  test('500 INTERNAL_ERROR: what goes wrong is in the log, and not in the answer', async () => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    const broken = { contentType: 'text/plain', text: () => Promise.reject(new Error('secret cause')) }
    const listener = startMetricsListener({ port: 0, metrics: broken, token: null, log })
    stop = () => listener.stop()
    const answer = await fetch(listener.url)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('secret cause')
    expect(lines.join()).toContain('secret cause')
  })
})
