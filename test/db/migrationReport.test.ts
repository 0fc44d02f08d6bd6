import { expect, test } from 'bun:test'
import pino from 'pino'
import { MigrationReport } from '../../db/migrationReport.ts'
import { ManualClock } from '../clock.ts'

const upgrade = {
  from: '0.1.0',
  to: '0.2.0',
  migrations: ['0009_a', '0010_b'],
  bytes: 10 * 1_048_576,
  copy: '/data/waypost.db.before-0.2.0-from-0.1.0-20260101T000000Z',
}

test('a migration is told at its beginning, every five seconds, and at its end', () => {
  const clock = new ManualClock()
  const lines: Record<string, unknown>[] = []
  const statuses: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: line => void lines.push(JSON.parse(line)) })
  const report = new MigrationReport({ log, clock, tell: status => void statuses.push(status) })

  report.take({ kind: 'begins', upgrade })
  expect(lines.splice(0)).toEqual([
    {
      level: 30,
      from: '0.1.0',
      to: '0.2.0',
      migrations: ['0009_a', '0010_b'],
      megabytes: 10,
      copy: upgrade.copy,
      msg: 'the database is of an older version and is migrated; the gateway is not ready until then',
    },
  ])
  report.take({ kind: 'step', step: 'copying the database' })
  clock.advance(5_000)
  report.take({ kind: 'step', step: '0009_a (1 of 2)' })
  clock.advance(9_999)
  expect(lines.splice(0)).toEqual([
    { level: 30, step: 'copying the database', seconds: 5, msg: 'the database is being migrated' },
    { level: 30, step: '0009_a (1 of 2)', seconds: 10, msg: 'the database is being migrated' },
  ])
  expect(statuses).toEqual([
    'Migrating the database since 2026-01-01 00:00:00 UTC: beginning',
    'Migrating the database since 2026-01-01 00:00:00 UTC: copying the database',
    'Migrating the database since 2026-01-01 00:00:00 UTC: 0009_a (1 of 2)',
  ])
  expect(report.isRunning).toBe(true)

  report.take({ kind: 'ended' })
  expect(lines.splice(0)).toEqual([{ level: 30, seconds: 15, msg: 'the database is migrated' }])
  expect(report.isRunning).toBe(false)
  expect(clock.pending).toBe(0)
})

test('of one that failed nothing is told any more', () => {
  const clock = new ManualClock()
  const statuses: string[] = []
  const report = new MigrationReport({
    log: pino({ level: 'silent' }),
    clock,
    tell: status => void statuses.push(status),
  })
  report.take({ kind: 'begins', upgrade })
  report.close()
  clock.advance(60_000)
  expect(statuses).toHaveLength(1)
  expect(clock.pending).toBe(0)
})

test('one that begins again is told once every five seconds, and not beyond its end', () => {
  const clock = new ManualClock()
  const statuses: string[] = []
  const report = new MigrationReport({
    log: pino({ level: 'silent' }),
    clock,
    tell: status => void statuses.push(status),
  })
  report.take({ kind: 'begins', upgrade })
  report.take({ kind: 'begins', upgrade })
  clock.advance(5_000)
  expect(statuses).toHaveLength(3)
  report.take({ kind: 'ended' })
  expect(clock.pending).toBe(0)
})
