import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { seedOfTest } from '../rig/seeded.ts'
import { upgradeUnderLoad } from './upgrades.ts'

/** Each upgrade takes a second, on a busy machine ten times as long; `bun run test:upgrade` does 20 of them. */
const upgrades = 4

setDefaultTimeout(15 * hungAfterMs)
beforeAll(ensureBuilt)

test.skipIf(process.platform !== 'linux')(
  'upgrades under load: a client that repeats with an idempotency key loses nothing and doubles nothing',
  async () => {
    const report = await upgradeUnderLoad({ upgrades, seed: seedOfTest('upgrade') })
    console.log(`upgrade: ${JSON.stringify({ ...report, violations: report.violations.length })}`)
    expect(report.violations).toEqual([])
    expect(report.orders).toBeGreaterThan(100)
    // The upgrades were under load, or nothing was shown.
    expect(report.refused + report.cut + report.unavailable).toBeGreaterThan(0)
    expect(report.amongItems).toBeGreaterThan(1)
    expect(report.amongScheduled).toBeGreaterThan(0)
  },
)
