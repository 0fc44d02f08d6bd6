import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * What a process of tests has bundled for its files, each of which loads its modules anew (`bun test --isolate`): made
 * once, when the first file needs it, so that what is tested is never older than the sources.
 */

/** What a user of the machine has bundled. Of that user alone: others share the temporary folder. */
const ownFolder = join(tmpdir(), `waypost-bundles-${process.getuid?.() ?? ''}`)
/** Of this process and no other: pids come again. Files of tests share nothing else. */
const folder = join(ownFolder, `${process.pid}-${performance.timeOrigin}`)

/**
 * @param name of the bundle's folder
 * @param entries paths of its sources
 * @param how further arguments of `bun build`
 * @returns its folder
 */
export function bundled(name: string, entries: readonly string[], how: readonly string[]): string {
  const bundle = join(folder, name)
  mkdirSync(ownFolder, { recursive: true, mode: 0o700 })
  // The code in it runs with the rights of whoever runs the tests.
  if (lstatSync(ownFolder).uid !== (process.getuid?.() ?? 0)) throw new Error(`${ownFolder} is somebody else's.`)
  if (existsSync(bundle)) return bundle
  removeLeftovers()
  const command = [process.execPath, 'build', ...entries, '--target=bun', '--outdir', bundle, ...how]
  const { success, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`The ${name} cannot be bundled: ${stderr}`)
  return bundle
}

/** A process of tests is not told that it ends. */
function removeLeftovers(): void {
  for (const name of readdirSync(ownFolder)) {
    if (isOwnProcess(Number.parseInt(name, 10))) continue
    try {
      rmSync(join(ownFolder, name), { recursive: true, force: true })
    } catch {
      // Another process is removing it as well. What stays is left to the next one.
    }
  }
}

/** A process that cannot be signalled is somebody else's: the pid has come again. */
function isOwnProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
