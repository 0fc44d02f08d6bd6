import type { WorkerName } from '../../../src/threads/thread.ts'
import { replaceWorkers } from '../../threads/workers.ts'
import type { Death, Poison } from './killable.ts'

const RealWorker = globalThis.Worker

const entries = {
  writer: './killableWriter.ts',
  sender: './killableSender.ts',
  notifier: './killableNotifier.ts',
} as const
const names = Object.keys(entries) as (keyof typeof entries)[]

/** The thread that the product asked for, behind an entry of its own that can be poisoned. */
export class KillableWorker extends RealWorker {
  readonly name: WorkerName
  readonly gone: Promise<void>

  constructor(url: string) {
    const name = names.find(name => url.endsWith(`/${name}.ts`)) ?? 'sender'
    super(new URL(entries[name], import.meta.url).href)
    this.name = name
    this.gone = new Promise(resolve => this.addEventListener('close', () => resolve()))
  }

  poison(die: Death): void {
    this.postMessage(JSON.stringify({ die } satisfies Poison))
  }
}

export interface Threads {
  /** Those that run or ran, oldest first. */
  readonly spawned: readonly KillableWorker[]
  /** The youngest of its kind. */
  last(name: WorkerName): KillableWorker
  restore(): void
}

/** Replaces the threads that are spawned from now on. */
export function replaceThreads(): Threads {
  const replaced = replaceWorkers(KillableWorker)
  return {
    ...replaced,
    last(name) {
      const worker = replaced.spawned.findLast(thread => thread.name === name)
      if (!worker) throw new Error(`no ${name} was spawned`)
      return worker
    },
  }
}
