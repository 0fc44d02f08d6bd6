import type { FromWorker, ToWorker } from '../../../src/threads/protocol.ts'

declare const self: Worker

/**
 * Ways in which a thread ends without being asked to stop.
 *
 *   throw    an exception that nobody catches
 *   reject   a rejection that nobody handles
 *   exit     it leaves by itself, with code 0
 *   hang     it never comes back to its event loop
 *   silence  it stores the next send, and ends before it can say so; what else it is asked before, a job's work at the
 *            full minute for example, it answers
 */
export type Death = 'throw' | 'reject' | 'exit' | 'hang' | 'silence'

export interface Poison {
  readonly die: Death
}

/** Lets a message end this thread. What is not poison is for the thread's own listener. */
export function takePoison(): void {
  self.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as ToWorker | Poison
    if ('kind' in message) return
    switch (message.die) {
      case 'throw':
        setImmediate(() => {
          throw new Error('poisoned')
        })
        break
      case 'reject':
        void Promise.reject(new Error('poisoned'))
        break
      case 'exit':
        process.exit(0)
        break
      case 'hang':
        for (;;);
      case 'silence':
        endAtSend()
        break
    }
  })
}

function endAtSend(): void {
  const sends = new Set<number>()
  self.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as ToWorker
    if (message.kind !== 'calls') return
    for (const { id, verb } of message.calls) if (verb === 'acceptMessage') sends.add(id)
  })
  const post = self.postMessage.bind(self)
  self.postMessage = (text: string) => {
    const message = JSON.parse(text) as FromWorker
    if (message.kind === 'answers' && message.answers.some(({ id }) => sends.has(id))) process.exit(0)
    post(text)
  }
}
