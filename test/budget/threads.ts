import type { FromWorker, ToWorker } from '../../src/threads/protocol.ts'
import type { Ran } from './statements.ts'
import type { Statements } from './watchedWriter.ts'

/** What the threads that are spawned from now on do. */
export interface WatchedThreads {
  /** Every post that carries calls or answers, in order: `writer: acceptMessage`, `writer answers`. */
  readonly posts: string[]
  /** Every statement of the writer, in order. */
  readonly statements: Ran[]
  /** Forgets what was done so far. */
  clear(): void
  restore(): void
}

export function watchThreads(): WatchedThreads {
  const posts: string[] = []
  const statements: Ran[] = []
  const RealWorker = globalThis.Worker
  globalThis.Worker = class WatchedWorker extends RealWorker {
    constructor(url: string | URL) {
      const name = String(url).includes('writer') ? 'writer' : 'sender'
      super(name === 'writer' ? new URL('./watchedWriter.ts', import.meta.url) : url)
      this.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as FromWorker | Statements
        if (message.kind === 'statements') statements.push(...message.ran)
        if (message.kind === 'answers') posts.push(`${name} answers`)
      })
      const post = this.postMessage.bind(this)
      this.postMessage = (text: string) => {
        const message = JSON.parse(text) as ToWorker
        if (message.kind === 'calls') posts.push(`${name}: ${message.calls.map(({ verb }) => verb)}`)
        post(text)
      }
    }
  }
  return {
    posts,
    statements,
    clear() {
      posts.length = 0
      statements.length = 0
    },
    restore() {
      globalThis.Worker = RealWorker
    },
  }
}
