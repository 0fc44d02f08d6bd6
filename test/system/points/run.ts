import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../executable.ts'
import { all } from './all.ts'
import { rowOf, writeRows } from './list.ts'
import type { Attempt } from './tried.ts'

/*
 * Hits the executable at each point of each act, and says what became of it:
 *
 *   bun test/system/points/run.ts [--act TEXT] [--whole] [--write] [--log FILE [--seconds N]]
 *
 * With a log it goes on where it ended; after so many seconds it tries no further point.
 */

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = { act: text, whole: flag, write: flag, log: text, seconds: text }
const { values } = parseArgs({ options, strict: true })
const { act: named = '', whole: isWhole = false, write = false, log } = values
const endsAt = performance.now() + Number(values.seconds ?? Number.POSITIVE_INFINITY) * 1_000
const isOver = () => performance.now() > endsAt
const say = (line: string) => process.stdout.write(`${line}\n`)
const known =
  log === undefined || !existsSync(log)
    ? []
    : readFileSync(log, 'utf8')
        .split('\n')
        .flatMap(line => (line === '' ? [] : [JSON.parse(line) as Attempt]))
ensureBuilt()
let broken = 0
for (const { name, need, tryPoints } of all.filter(act => act.name.includes(named))) {
  const [what, isThere] = need
  if (!isThere) {
    say(`${name}: not tried, without ${what}`)
    continue
  }
  const begin = performance.now()
  const tried = await tryPoints({ isWhole, known, isOver }, one => {
    const { of, call, fault, n, violations } = one
    if (violations.length > 0) say(`${name}: ${fault} at ${call} ${n} of ${of}: ${violations.join('; ')}`)
    // What is broken is tried again, once it is mended.
    else if (log !== undefined) appendFileSync(log, `${JSON.stringify(one)}\n`)
  })
  const failed = tried.filter(({ violations }) => violations.length > 0).length
  broken += failed
  const seconds = Math.round((performance.now() - begin) / 1_000)
  say(`${name}: ${tried.length} points, ${failed} broken, ${seconds} s${isOver() ? ', not all of it' : ''}`)
  if (isOver()) break
  if (write && failed === 0)
    writeRows(
      new Map([[name, rowOf(name, tried)]]),
      all.map(({ name }) => name),
    )
}
process.exit(broken === 0 ? 0 : 1)
