import { join, resolve } from 'node:path'
import { WORKERS, type WorkerName, workerUrl } from '../src/threads/thread.ts'
import { bundled } from './bundles.ts'

/*
 * Loaded before each file of tests. A writer thread loads 200 modules from their sources: 75 ms of processor time at
 * each start of a gateway or a command, and 15 ms from one file with its bytecode, as in the executable; a sender 50
 * and 30.
 */

/** By the URL of each entry. */
const names = new Map((Object.keys(WORKERS) as WorkerName[]).map(name => [workerUrl(name), name]))

const unsynced = resolve(import.meta.dir, 'unsynced.ts')

function bundleOf(name: WorkerName): string {
  const source = resolve(import.meta.dir, '..', WORKERS[name])
  return join(bundled(name, [source], ['--bytecode', '--format=cjs']), `${name}.js`)
}

globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    const name = names.get(String(url))
    super(name === undefined ? url : bundleOf(name), name === 'writer' ? { ...options, preload: [unsynced] } : options)
  }
}
