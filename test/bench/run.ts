import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeMachine } from './machine.ts'
import { type Options, readOptions, usage } from './options.ts'
import { Fleet } from './processes.ts'
import { type Row, resultsFile, table } from './report.ts'
import { compare } from './rounds.ts'
import { prepare } from './scenarios.ts'
import { findWrk } from './wrk.ts'

/*
 * Measures the executable against a bare pass-through and bare routes, and prints the ratios. A missed mark is printed
 * and fails nothing; a wrong answer fails the run.
 */

const resultsPath = join(import.meta.dir, 'RESULTS.md')

/** Rounds in which both sides compile what is hot, measured like the others and thrown away. */
const warmUp = { seconds: 1, rounds: 1 }

async function bench(options: Options, fleet: Fleet, folder: string): Promise<void> {
  const { seconds, rounds } = options
  findWrk()
  const machine = await describeMachine({ binary: options.binary, folder })
  console.log(machine.join('\n'))
  const { scenarios, gateway } = await prepare({ ...options, fleet, folder })
  const rows: Row[] = []
  const warmed = new Set<string>()
  for (const scenario of scenarios) {
    console.error(`${scenario.what}, ${scenario.connections} connections …`)
    if (!warmed.has(scenario.what)) await compare(scenario, { ...warmUp, folder })
    warmed.add(scenario.what)
    rows.push(...(await compare(scenario, { seconds, rounds, folder })))
  }
  const memory = gateway.memory()
  const notes = memory
    ? [`memory of the gateway at the end: ${memory.nowMb} MB, at most ${memory.mostMb} MB; ${gateway.countSent()} sent`]
    : []
  console.log(`\n${table(rows)}\n\n${notes.join('\n')}`)
  if (!options.writesResults) return
  const before = await Bun.file(resultsPath)
    .text()
    .catch(() => '')
  const how = `${rounds} rounds of ${seconds} s each`
  await Bun.write(resultsPath, resultsFile({ machine, how, rows, notes, before }))
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
    await Promise.race([bench({ ...options, binary }, fleet, folder), interrupted.promise])
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    await fleet.stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exit(await main())
