import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Fleet, stopCommands } from './processes.ts'

/**
 * Runs what measures, with processes and a folder of its own, which end with it, whatever its end.
 * @returns the exit code of the run
 */
export async function session(measure: (fleet: Fleet, folder: string) => Promise<void>): Promise<number> {
  const fleet = new Fleet()
  const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'))
  const interrupted = Promise.withResolvers<never>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.reject(new Error(`interrupted by ${signal}`)))
  }
  try {
    await Promise.race([measure(fleet, folder), interrupted.promise])
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

/** @returns the options of a run and the executable, which is there; or the exit code of a run that cannot begin */
export function begin<Options extends { readonly binary: string }>(
  read: (argv: readonly string[]) => Options,
  usage: string,
): Options | number {
  let options: Options
  try {
    options = read(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
  const binary = resolve(options.binary)
  if (existsSync(binary)) return { ...options, binary }
  console.error(`There is no executable at ${binary}. Build it first: bun run build`)
  return 1
}
