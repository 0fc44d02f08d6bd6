import { existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { workerUrl } from '../src/threads/workers.ts'

/*
 * Loaded before each file of tests. A writer thread loads 200 modules from their sources: 75 ms of processor time at
 * each start of a gateway or a command, and 15 ms from one file with its bytecode, as in the executable. So each
 * process of tests bundles the writer once, when the first one starts: what is tested is never older than the sources.
 */

const folderStart = 'waypost-writer-'
/** Of this process and no other: pids come again. Files of tests share nothing else (`bun test --isolate`). */
const folder = join(tmpdir(), `${folderStart}${process.pid}-${performance.timeOrigin}`)
const bundle = join(folder, 'writer.js')

function bundled(): string {
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
  for (const name of readdirSync(tmpdir()).filter(name => name.startsWith(folderStart))) {
    if (isAlive(Number.parseInt(name.slice(folderStart.length), 10))) continue
    // Another process may be removing it as well.
    rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // One of somebody else cannot be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const writer = workerUrl('writer')

globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(String(url) === writer ? bundled() : url, options)
  }
}
