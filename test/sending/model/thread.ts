import type { Clock } from '../../../src/base/clock.ts'
import type { ChannelClient } from '../../../src/graph/client.ts'
import { createSender } from '../../../src/sending/sender.ts'
import type { ToWorker, VerbAnswer } from '../../../src/threads/protocol.ts'
import type { Served } from '../../../src/threads/worker.ts'
import { ScriptedWorker } from '../../threads/workers.ts'
import type { Upstream } from './upstream.ts'
import { postMs } from './witness.ts'

/** From its spawning until it takes calls. */
const startMs = 50

/**
 * The real sender in a thread that can die at any moment: as `workers/sender.ts` and `serveMailbox`, but in the time of
 * the test. What is on its way from or to a thread when it dies is gone.
 */
export class SenderThread extends ScriptedWorker {
  readonly #world: Clock
  /** Its timers end with it. */
  readonly #clock: Clock
  readonly #upstream: Upstream
  readonly #answers: VerbAnswer[] = []
  #served: Served | undefined
  #isFlushDue = false

  /** @param lifeMs until it dies; undefined when it lives on */
  constructor(clock: Clock, upstream: Upstream, lifeMs: number | undefined) {
    super()
    this.#world = clock
    this.#upstream = upstream
    this.#clock = {
      now: () => clock.now(),
      steady: () => clock.steady(),
      ago: ms => clock.ago(ms),
      setTimer: (delayMs, fire) => this.#later(delayMs, fire),
    }
    this.#later(startMs, () => this.say({ kind: 'listening' }))
    if (lifeMs !== undefined) this.#later(lifeMs, () => this.terminate())
  }

  override postMessage(text: string): void {
    // Only SupervisedThread posts, and only this.
    this.#later(postMs, () => void this.#hear(JSON.parse(text) as ToWorker))
  }

  #later(delayMs: number, fire: () => void): () => void {
    return this.#world.setTimer(delayMs, () => {
      if (!this.isTerminated) fire()
    })
  }

  async #hear(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'start':
        this.#served = this.#createSender()
        this.#later(postMs, () => this.say({ kind: 'ready', verbs: this.#served?.verbs ?? [] }))
        break
      case 'calls':
        this.#served?.take(message.calls)
        break
      case 'stop':
        await this.#served?.stop()
        this.#flush()
        this.#later(postMs, () => this.say({ kind: 'stopped' }))
        break
    }
  }

  #createSender(): Served {
    const client: Pick<ChannelClient, 'send'> = {
      // The payload is the message's id.
      send: ({ payload }) => this.#upstream.take(payload, this.#clock),
    }
    const unused = () => Promise.reject(new Error('no media here'))
    return createSender({
      client,
      upload: unused,
      transport: { close: () => {} },
      outgoing: { reply: answers => this.#flushSoon(() => this.#answers.push(...answers)) },
    })
  }

  #flushSoon(add: () => void): void {
    add()
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushDue = false
    const answers = this.#answers.splice(0)
    if (answers.length > 0) this.#later(postMs, () => this.say({ kind: 'answers', answers }))
  }
}
