import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { cluster } from './cluster.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string' } },
  strict: true,
})
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isInteger(seconds) || seconds < 1 || !Number.isInteger(seed)) {
  process.stderr.write('Use: bun test/system/cluster/run.ts [--seconds <n>] [--seed <n>]\n')
  process.exit(2)
}

ensureBuilt()
process.stdout.write(`${seconds} seconds; --seed ${seed} draws the same load and faults\n`)
const report = await cluster({ seconds, seed, say: line => process.stdout.write(`${line}\n`) })
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
process.exit(report.violations.length === 0 ? 0 : 1)
