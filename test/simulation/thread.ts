import type { FromWorker, ToWorker, VerbAnswer } from '../../src/threads/protocol.ts'
import type { Outgoing, Served } from '../../src/threads/worker.ts'
import type { World } from './world.ts'

/** What a thread of the gateway does: as the files of `workers/`, which it stands in for. */
export type Serve = (outgoing: Outgoing, later: (delayMs: number, fire: () => void) => void) => Served

/** The longest that a post takes from one thread to another. */
const postMsMax = 1

/**
 * A worker thread in the time of a history, in place of `Worker` and `serveMailbox`. Posts take a moment and keep their
 * order. What is on its way when it ends, or when its process does, is lost.
 */
export class SimulatedThread {
  onmessage: ((event: MessageEvent<string>) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  readonly name: 'writer' | 'sender' | 'files'
  readonly #world: World
  readonly #isAlive: () => boolean
  readonly #serve: Serve
  readonly #onClose: (() => void)[] = []
  #served: Served | undefined
  #isOver = false
  #lastIn = 0
  #lastOut = 0
  readonly #answers: VerbAnswer[] = []

  /** @param isAlive whether its process is */
  constructor(name: SimulatedThread['name'], world: World, isAlive: () => boolean, serve: Serve) {
    this.name = name
    this.#world = world
    this.#isAlive = isAlive
    this.#serve = serve
    this.#say({ kind: 'listening' })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  addEventListener(event: string, listener: () => void): void {
    if (event === 'close') this.#onClose.push(listener)
  }

  postMessage(text: string): void {
    this.#lastIn = this.#inOrder(this.#lastIn, () => void this.#hear(JSON.parse(text) as ToWorker))
  }

  /** It ends, asked or not. */
  terminate(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#world.later(0, () => {
      if (this.#isAlive()) for (const listener of this.#onClose) listener()
    })
  }

  /** @returns when it is done */
  #inOrder(last: number, fire: () => void): number {
    const at = Math.max(last, this.#world.steady() + this.#world.upTo(postMsMax))
    this.#later(at - this.#world.steady(), fire)
    return at
  }

  #later(delayMs: number, fire: () => void): void {
    this.#world.later(delayMs, () => {
      if (!this.#isOver && this.#isAlive()) fire()
    })
  }

  async #hear(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'start': {
        const outgoing: Outgoing = {
          reply: answers => this.#reply(answers),
          replyAtOnce: answers => this.#say({ kind: 'answers', answers }),
          tell: news => this.#say({ kind: 'news', news }),
        }
        this.#served = this.#serve(outgoing, (delayMs, fire) => this.#later(delayMs, fire))
        this.#say({ kind: 'ready', verbs: this.#served.verbs ?? [] })
        break
      }
      case 'calls':
        this.#served?.take(message.calls)
        break
      case 'ping':
        this.#say({ kind: 'pong' })
        break
      case 'measure':
        break
      case 'stop':
        await this.#served?.stop()
        this.#flush()
        this.#say({ kind: 'stopped' })
        break
    }
  }

  /** Answers of one turn leave together. */
  #reply(answers: readonly VerbAnswer[]): void {
    if (this.#answers.length === 0) this.#later(0, () => this.#flush())
    this.#answers.push(...answers)
  }

  #flush(): void {
    const answers = this.#answers.splice(0)
    if (answers.length > 0) this.#say({ kind: 'answers', answers })
  }

  #say(message: FromWorker): void {
    const data = JSON.stringify(message)
    this.#lastOut = this.#inOrder(this.#lastOut, () => this.onmessage?.({ data } as MessageEvent<string>))
  }
}
