import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { all } from './all.ts'
import { rowOf, writeRows } from './list.ts'

/*
 * Hits the executable at each point of each act, and says what became of it:
 *
 *   bun test/system/points/run.ts [--act TEXT] [--whole] [--write]
 */

const options = { act: { type: 'string' }, whole: { type: 'boolean' }, write: { type: 'boolean' } } as const
const { act: named = '', whole: isWhole = false, write = false } = parseArgs({ options, strict: true }).values
const say = (line: string) => process.stdout.write(`${line}\n`)
ensureBuilt()
let broken = 0
for (const { name, need, tryPoints } of all.filter(act => act.name.includes(named))) {
  const [what, isThere] = need
  if (!isThere) {
    say(`${name}: not tried, without ${what}`)
    continue
  }
  const begin = performance.now()
  const tried = await tryPoints({ isWhole }, ({ of, call, fault, n, violations }) => {
    if (violations.length > 0) say(`${name}: ${fault} at ${call} ${n} of ${of}: ${violations.join('; ')}`)
  })
  const failed = tried.filter(({ violations }) => violations.length > 0).length
  broken += failed
  say(`${name}: ${tried.length} points, ${failed} broken, ${Math.round((performance.now() - begin) / 1_000)} s`)
  if (write && failed === 0)
    writeRows(
      new Map([[name, rowOf(name, tried)]]),
      all.map(({ name }) => name),
    )
}
process.exit(broken === 0 ? 0 : 1)
