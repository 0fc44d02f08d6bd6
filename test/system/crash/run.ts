import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { crash } from './rounds.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '500' }, seed: { type: 'string' } },
  strict: true,
})
const kills = Number(values.kills)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  process.stderr.write('Use: bun test/system/crash/run.ts [--kills <n>] [--seed <n>]\n')
  process.exit(2)
}

ensureBuilt()
process.stdout.write(`${kills} kills; --seed ${seed} repeats this run\n`)
const report = await crash({ kills, seed, say: line => process.stdout.write(`${line}\n`) })
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
process.exit(report.violations.length === 0 ? 0 : 1)
