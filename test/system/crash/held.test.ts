import { beforeAll, expect, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { seedOfTest } from '../rig/seeded.ts'
import { held } from './held.ts'

const kills = 12
const items = 600
const scheduled = 60
/** About a second for each; a busy machine takes ten times as long. */
const timeoutMs = 600_000

beforeAll(ensureBuilt)

test(
  `${kills} kills while a batch runs and scheduled messages come due: none is lost, none is sent twice, and counts are true`,
  async () => {
    const report = await held({ kills, items, scheduled, seed: seedOfTest('held') })
    console.log(`held: ${JSON.stringify({ ...report, violations: report.violations.length })}`)
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ kills, orders: items + scheduled, messages: items + scheduled })
    // A run in which little happened proves little.
    expect(report.killedAmongItems).toBeGreaterThan(kills / 3)
    expect(report.killedAmongDue).toBeGreaterThan(1)
    expect(report.answersLost).toBeGreaterThan(0)
  },
  timeoutMs,
)
