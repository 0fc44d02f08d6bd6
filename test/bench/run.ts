import { join } from 'node:path'
import { openBench } from './bench.ts'
import { firstSeconds } from './fair.ts'
import { benchmarksOf } from './groups.ts'
import { describeMachine } from './machine.ts'
import { besideGroups, type Options, readOptions, usage } from './options.ts'
import type { Fleet } from './processes.ts'
import { besideFile, type Row, resultsFile, table } from './report.ts'
import { begin, session } from './session.ts'
import { findWrk } from './wrk.ts'

/*
 * Measures the executable against what does the same with less, and prints the ratios. A missed mark is printed
 * and fails nothing; a wrong answer fails the run.
 */

const resultsPath = join(import.meta.dir, 'RESULTS.md')

async function measure(options: Options, fleet: Fleet, folder: string): Promise<void> {
  const { warmUpSeconds, seconds, rounds, groups } = options
  findWrk()
  const machine = await describeMachine({ binary: options.binary, folder })
  console.log(machine.join('\n'))
  const bench = await openBench(options, fleet, folder)
  const shared = fleet.size
  const rows: Row[] = []
  const besides: Row[] = []
  for (const group of groups) {
    for (const benchmark of await benchmarksOf[group](bench)) {
      console.error(`${benchmark.title} …`)
      const of = besideGroups.includes(group) ? besides : rows
      const measured = await benchmark.run({ warmUpSeconds, seconds, rounds })
      // A later one may fail, and these are measured.
      console.error(table(measured))
      of.push(...measured)
    }
    await fleet.stopDownTo(shared)
  }
  console.log(`\n${table([...rows, ...besides])}`)
  if (!options.writesResults) return
  let text = await Bun.file(resultsPath)
    .text()
    .catch(() => '')
  const how = `${rounds} rounds of ${seconds} s each, after one`
  if (rows.length > 0)
    text = resultsFile({ machine, how: `${how} of ${warmUpSeconds} s that does not count`, rows, before: text })
  if (besides.length > 0)
    text = besideFile({ how: `${how} of ${firstSeconds} s that does not count`, rows: besides, before: text })
  await Bun.write(resultsPath, text)
}

const options = begin(readOptions, usage)
process.exit(typeof options === 'number' ? options : await session((fleet, folder) => measure(options, fleet, folder)))
