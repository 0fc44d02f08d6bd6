import { beforeAll, expect, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { seedOfTest } from '../rig/seeded.ts'
import { crash } from './crash.ts'

const kills = 50
/** About a second for each; a busy machine takes ten times as long. */
const timeoutMs = 900_000

beforeAll(ensureBuilt)

test(
  `${kills} kills at random moments: nothing acknowledged is lost, nothing is sent twice, every event is delivered, and every count is true`,
  async () => {
    const seed = seedOfTest('crash')
    const report = await crash({ kills, seed })

    console.log(`crash: ${JSON.stringify({ ...report, violations: report.violations.length })}`)
    expect(report.violations).toEqual([])
    // A run in which little happened proves little.
    expect(report).toMatchObject({ kills, seed })
    expect(Object.keys(report.answers)).toEqual([
      '200',
      '201',
      '400 CHANNEL_GRAPH_ERROR',
      '402 PLAN_LIMIT_EXCEEDED',
      '502 CHANNEL_GRAPH_ERROR',
    ])
    expect(report.orders).toBeGreaterThan(10 * kills)
    expect(report.cuts).toBeGreaterThan(kills)
    expect(report.replays).toBeGreaterThan(kills)
    for (const count of [report.files, report.written, report.quoting]) expect(count).toBeGreaterThan(5)
    expect(report.delivered.taken).toBeGreaterThan(10 * kills)
    expect(report.delivered.refused).toBeGreaterThan(kills)
    expect(report.delivered.repeated).toBeGreaterThan(0)
  },
  timeoutMs,
)
