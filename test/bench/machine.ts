import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { run } from './processes.ts'
import { median } from './report.ts'

/** Above this share of all cores, what else runs spoils the numbers. */
const busyMax = 0.1
const busyMs = 1_000

/** As git shows it. */
const commitLength = 8

const syncs = 50
const blockBytes = 4096

/** @returns lines that say what the numbers were measured on. */
export async function describeMachine(options: { binary: string; folder: string }): Promise<string[]> {
  const [cpu] = cpus()
  const { version, commit } = JSON.parse(await run([options.binary, 'version', '--json'], {}))
  const fileSystem = await run(['stat', '-f', '-c', '%T', options.folder], {}).catch(() => 'unknown file system')
  const busy = await busyShare()
  return [
    `Waypost ${version}${commit ? ` (${commit.slice(0, commitLength)})` : ''} · Bun ${Bun.version} · ${type()} ${release()}`,
    `${cpus().length} cores, ${cpu?.model ?? 'unknown model'} · ${(totalmem() / 2 ** 30).toFixed(1)} GB of memory`,
    `data on ${fileSystem.trim()}: one sync of 4 kB takes ${syncMs(options.folder).toFixed(2)} ms (median)`,
    ...(busy > busyMax
      ? [`NOT QUIET: ${Math.round(busy * 100)} % of the cores were busy before anything started`]
      : []),
    'wrk, both sides and the stub upstream share the machine: compare the ratios, not the requests',
  ]
}

/** How much of the cores others use, before the bench itself uses any. */
async function busyShare(): Promise<number> {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const before = idleMs()
  const start = performance.now()
  await Bun.sleep(busyMs)
  const availableMs = (performance.now() - start) * cpus().length
  return Math.max(0, 1 - (idleMs() - before) / availableMs)
}

/** What one disk sync costs: the floor of a durable send that is alone. */
function syncMs(folder: string): number {
  const path = join(folder, 'sync')
  const file = openSync(path, 'w')
  const block = new Uint8Array(blockBytes)
  const times = Array.from({ length: syncs }, () => {
    const start = performance.now()
    writeSync(file, block)
    fsyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
