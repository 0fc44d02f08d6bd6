import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openBench } from './bench.ts'
import { firstSeconds } from './fair.ts'
import { benchmarksOf } from './groups.ts'
import { describeMachine } from './machine.ts'
import { besideGroups, type Options, readOptions, usage } from './options.ts'
import { Fleet, stopCommands } from './processes.ts'
import { besideFile, type Row, resultsFile, table } from './report.ts'
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
      of.push(...(await benchmark.run({ warmUpSeconds, seconds, rounds })))
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

async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
  const binary = resolve(options.binary)
  if (!existsSync(binary)) {
    console.error(`There is no executable at ${binary}. Build it first: bun run build`)
    return 1
  }
  const fleet = new Fleet()
  const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'))
  const interrupted = Promise.withResolvers<never>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.reject(new Error(`interrupted by ${signal}`)))
  }
  try {
    await Promise.race([measure({ ...options, binary }, fleet, folder), interrupted.promise])
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    stopCommands()
    await fleet.stopDownTo(0)
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exit(await main())
