import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { anySeed } from '../rig/seeded.ts'
import { upgradeGrown } from './grownUpgrade.ts'
import { upgradeUnderLoad } from './upgrades.ts'

const { values } = parseArgs({
  options: {
    upgrades: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(anySeed()) },
    messages: { type: 'string' },
    inbound: { type: 'string', default: '0' },
    statistics: { type: 'string', default: 'removed' },
  },
  strict: true,
})
const [upgrades, inbound, seed] = [Number(values.upgrades), Number(values.inbound), Number(values.seed)]
const messages = values.messages === undefined ? null : Number(values.messages)
const { statistics } = values
if (
  ![upgrades, messages ?? 1].every(count => Number.isInteger(count) && count > 0) ||
  !(Number.isInteger(inbound) && inbound >= 0 && Number.isInteger(seed)) ||
  !(statistics === 'old' || statistics === 'removed')
) {
  process.stderr.write(
    'Use: bun test/system/upgrade/run.ts [--upgrades <n>] [--seed <n>], upgrades under load; or\n' +
      '     bun test/system/upgrade/run.ts --messages <n> [--inbound <n>] [--statistics old|removed], one of a large database\n',
  )
  process.exit(2)
}

/** Ten seconds into the upgrade of a million messages, the first migrations are under way. */
const middle = 3

ensureBuilt()
const say = (line: string) => process.stdout.write(`${line}\n`)
if (messages === null) say(`--seed ${seed} draws the same load`)
const report =
  messages === null
    ? await upgradeUnderLoad({ upgrades, seed, say })
    : await upgradeGrown({ messages, inbound, statistics, lines: middle, say })
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
process.exit(report.violations.length === 0 ? 0 : 1)
