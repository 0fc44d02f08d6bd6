import type { FromWorker, ToWorker } from '../../src/threads/protocol.ts'

const RealWorker = globalThis.Worker

/** A real worker thread, watched: what was posted to it, and a way to end it as a crash would. */
export class WatchedWorker extends RealWorker {
  readonly posted: ToWorker[] = []
  /** What it posted back. */
  readonly said: FromWorker[] = []

  constructor(url: string) {
    super(url)
    this.addEventListener('message', ({ data }) => this.said.push(JSON.parse(data)))
  }

  override postMessage(text: string): void {
    this.posted.push(JSON.parse(text))
    super.postMessage(text)
  }

  /** How many calls each post carried. */
  get batches(): number[] {
    return this.posted.flatMap(message => (message.kind === 'calls' ? [message.calls.length] : []))
  }

  /** Ends it without being asked to stop. Resolves once it is gone. */
  crash(): Promise<void> {
    return new Promise(resolve => {
      this.addEventListener('close', () => resolve())
      this.terminate()
    })
  }
}

/** A worker that does only what the test says. */
export class ScriptedWorker extends EventTarget {
  readonly posted: ToWorker[] = []
  onmessage: ((event: MessageEvent<string>) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  isTerminated = false

  postMessage(text: string): void {
    this.posted.push(JSON.parse(text))
  }

  terminate(): void {
    if (this.isTerminated) return
    this.isTerminated = true
    queueMicrotask(() => this.close())
  }

  /** The thread has ended. */
  close(): void {
    this.dispatchEvent(new Event('close'))
  }

  say(message: FromWorker): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<string>)
  }

  /** As every worker begins. */
  start(verbs: readonly string[] = []): void {
    this.say({ kind: 'listening' })
    this.say({ kind: 'ready', verbs })
  }

  /** The calls that it was posted, with their ids. */
  get calls() {
    return this.posted.flatMap(message => (message.kind === 'calls' ? message.calls : []))
  }
}

/** Replaces the threads that are spawned from now on. @returns those that were, and how to undo it */
export function replaceWorkers<Kind extends object>(kind: new (url: string) => Kind) {
  const spawned: Kind[] = []
  // Called with `new`, a function that returns an object gives that object.
  globalThis.Worker = function spawn(url: string) {
    const worker = new kind(url)
    spawned.push(worker)
    return worker
  } as unknown as typeof Worker
  return {
    spawned,
    restore() {
      globalThis.Worker = RealWorker
    },
  }
}
