import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { WORKERS, type WorkerName, workerUrl } from '../src/threads/thread.ts'

/*
 * Loaded before each file of tests. A writer thread loads 200 modules from their sources: 75 ms of processor time at
 * each start of a gateway or a command, and 15 ms from one file with its bytecode, as in the executable; a sender 50
 * and 30. So each process of tests bundles an entry once, when its first thread starts: what is tested is never older
 * than the sources.
 */

/** What a user of the machine has bundled. Of that user alone: others share the temporary folder. */
const ownFolder = join(tmpdir(), `waypost-workers-${process.getuid?.() ?? ''}`)
/** Of this process and no other: pids come again. Files of tests share nothing else (`bun test --isolate`). */
const folder = join(ownFolder, `${process.pid}-${performance.timeOrigin}`)

function bundled(name: WorkerName): string {
  const bundle = join(folder, `${name}.js`)
  mkdirSync(ownFolder, { recursive: true, mode: 0o700 })
  // The code in it runs with the rights of whoever runs the tests.
  if (lstatSync(ownFolder).uid !== (process.getuid?.() ?? 0)) throw new Error(`${ownFolder} is somebody else's.`)
  if (existsSync(bundle)) return bundle
  removeLeftovers()
  const source = resolve(import.meta.dir, '..', WORKERS[name])
  const how = ['--target=bun', '--bytecode', '--format=cjs', '--outdir', folder]
  const { success, stderr } = Bun.spawnSync([process.execPath, 'build', source, ...how])
  if (!success) throw new Error(`The ${name} cannot be bundled: ${stderr}`)
  return bundle
}

/** A process of tests is not told that it ends. */
function removeLeftovers(): void {
  for (const name of readdirSync(ownFolder)) {
    // Another process may be removing it as well.
    if (!isOwnProcess(Number.parseInt(name, 10))) rmSync(join(ownFolder, name), { recursive: true, force: true })
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

/** By the URL of each entry. */
const names = new Map((Object.keys(WORKERS) as WorkerName[]).map(name => [workerUrl(name), name]))

globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    const name = names.get(String(url))
    super(name === undefined ? url : bundled(name), options)
  }
}
