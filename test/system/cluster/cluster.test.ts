import { beforeAll, describe, expect, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { hasPostgres } from '../../postgres.ts'
import { seedOfTest } from '../rig/seeded.ts'
import { cluster } from './cluster.ts'

const seconds = 60
/** The load, and then what waits still; a busy machine takes several times as long. */
const timeoutMs = 900_000

describe.skipIf(!hasPostgres)('three instances on one database', () => {
  beforeAll(ensureBuilt)

  test(
    'killed, put to sleep and cut off from their server: nothing is lost or sent twice, and plan, windows and pace hold',
    async () => {
      const report = await cluster({ seconds, seed: seedOfTest('cluster') })

      console.log(`cluster: ${JSON.stringify({ ...report, violations: report.violations.length })}`)
      expect(report.violations).toEqual([])
      // A run in which little happened proves little.
      expect(report.kills).toBeGreaterThan(5)
      expect(report).toMatchObject({ sleeps: 1, serverRestarts: 1 })
      expect(report.orders).toBeGreaterThan(16 * seconds)
      expect(report.cuts).toBeGreaterThan(report.kills)
      expect(report.replays).toBeGreaterThan(report.kills)
      for (const count of [report.files, report.written, report.quoting]) expect(count).toBeGreaterThan(0)
      expect(report.delivered.taken).toBeGreaterThan(10 * seconds)
      expect(report.held.sent.items).toBeGreaterThan(0)
      expect(report.held.sent.scheduled).toBeGreaterThan(0)
      expect(report.fullWindows).toBeGreaterThan(0)
      for (const { perSecond, messages } of report.paces) expect(messages).toBeGreaterThan(perSecond)
      expect(Object.keys(report.answers)).toEqual(
        expect.arrayContaining(['200', '201', '402 PLAN_LIMIT_EXCEEDED', '503 SERVICE_UNAVAILABLE']),
      )
    },
    timeoutMs,
  )
})
