declare const self: Worker

/**
 * Ways in which a thread ends without being asked to stop.
 *
 *   throw    an exception that nobody catches
 *   reject   a rejection that nobody handles
 *   exit     it leaves by itself, with code 0
 *   hang     it never comes back to its event loop
 *   silence  it does what it is asked next, and ends before it can say so
 */
export type Death = 'throw' | 'reject' | 'exit' | 'hang' | 'silence'

export interface Poison {
  readonly die: Death
}

/** Lets a message end this thread. What is not poison is for the thread's own listener. */
export function takePoison(): void {
  self.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const { die } = JSON.parse(data) as Partial<Poison>
    switch (die) {
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
        self.postMessage = (text: string) => {
          if ((JSON.parse(text) as { kind: string }).kind === 'answers') process.exit(0)
        }
        break
    }
  })
}
