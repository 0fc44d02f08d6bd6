import { workerUrl } from '../../../src/threads/thread.ts'

/** The program, but for its writer thread. */
const endless = new URL('./endlessWriter.ts', import.meta.url).href
const writer = workerUrl('writer')
globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(String(url) === writer ? endless : url, options)
  }
}
await import('../../../src/main.ts')
