import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { upgradeUnderLoad } from './upgrades.ts'

const { values } = parseArgs({ options: { upgrades: { type: 'string', default: '20' } }, strict: true })
const upgrades = Number(values.upgrades)
if (!Number.isInteger(upgrades) || upgrades < 1) {
  process.stderr.write('Use: bun test/system/upgrade/run.ts [--upgrades <n>]\n')
  process.exit(2)
}

ensureBuilt()
const report = await upgradeUnderLoad({ upgrades, say: line => process.stdout.write(`${line}\n`) })
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
process.exit(report.violations.length === 0 ? 0 : 1)
