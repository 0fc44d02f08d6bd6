import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ensureBuilt } from '../../executable.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { upgradeGrown } from './grownUpgrade.ts'

setDefaultTimeout(4 * hungAfterMs)
beforeAll(ensureBuilt)

// With the old statistics the migration of this many would take five minutes, and four times as long for twice as many.
// `bun run test:upgrade --messages 1000000 --inbound 200000` does the same with more.
test.skipIf(process.platform !== 'linux')(
  'a database with old statistics is upgraded, killed and stopped meanwhile, and nothing of it is lost',
  async () => {
    const report = await upgradeGrown({ messages: 20_000, inbound: 120_000, statistics: 'old', lines: 1 })
    expect(report.violations).toEqual([])
  },
)
