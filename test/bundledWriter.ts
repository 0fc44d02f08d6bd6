import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { workerUrl } from '../src/threads/thread.ts'

/*
 * Loaded before each file of tests. A writer thread loads 200 modules from their sources: 75 ms of processor time at
 * each start of a gateway or a command, and 15 ms from one file with its bytecode, as in the executable. So each
 * process of tests bundles the writer once, when the first one starts: what is tested is never older than the sources.
 */

/** What a user of the machine has bundled. Of that user alone: others share the temporary folder. */
const ownFolder = join(tmpdir(), `waypost-writers-${process.getuid?.() ?? ''}`)
/** Of this process and no other: pids come again. Files of tests share nothing else (`bun test --isolate`). */
const folder = join(ownFolder, `${process.pid}-${performance.timeOrigin}`)
const bundle = join(folder, 'writer.js')

function bundled(): string {
  mkdirSync(ownFolder, { recursive: true, mode: 0o700 })
  // The code in it runs with the rights of whoever runs the tests.
  if (lstatSync(ownFolder).uid !== (process.getuid?.() ?? 0)) throw new Error(`${ownFolder} is somebody else's.`)
  if (existsSync(bundle)) return bundle
  removeLeftovers()
  const source = resolve(import.meta.dir, '../workers/writer.ts')
  const how = ['--target=bun', '--bytecode', '--format=cjs', '--outdir', folder]
  const { success, stderr } = Bun.spawnSync([process.execPath, 'build', source, ...how])
  if (!success) throw new Error(`The writer cannot be bundled: ${stderr}`)
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

const writer = workerUrl('writer')

globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(String(url) === writer ? bundled() : url, options)
  }
}
