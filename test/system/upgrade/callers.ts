import type { Deployment } from '../rig/deployment.ts'
import { type Order, OrderBook, promised } from '../rig/orders.ts'

/** Requests under way at any moment, each followed by a short rest. */
const clientCount = 12
const restMs = 4
/** A client that is refused tries the same order again after this, as our own callers do at first. */
const retryMs = 20

/** An attempt that brought no answer to the order. */
export interface Failure {
  readonly atMs: number
  readonly why: 'refused' | 'cut' | '503'
}

/** Partners' backends that send with idempotency keys, and repeat what was refused until it is answered. */
export class RetryingClients {
  readonly book = new OrderBook()
  readonly failures: Failure[] = []
  /** How long each order took from its first attempt to its answer, and when it was answered. */
  readonly answered: { readonly atMs: number; readonly tookMs: number }[] = []
  readonly #deployment: Deployment
  readonly #url: string
  #isEnding = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(deployment: Deployment, url: string) {
    this.#deployment = deployment
    this.#url = `${url}/api/v1/public/messages/send`
  }

  start(): void {
    const client = async (number: number) => {
      for (let at = 0; !this.#isEnding; at += 1) {
        await this.#order(`order-${number}-${at}`, number)
        await Bun.sleep(restMs)
      }
    }
    this.#running = Promise.all(Array.from({ length: clientCount }, (_, number) => client(number)))
  }

  /** Every order that was begun gets its answer first. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  async #order(tag: string, client: number): Promise<void> {
    const { id: phoneNumberId, owner } = this.#deployment.lines[client % 4 === 0 ? 'paced' : 'open']
    const phone = `+1555020${String(client).padStart(4, '0')}`
    const body = { type: 'text', content: tag, phone, phoneNumberId, idempotencyKey: tag }
    const content = { fields: body, quotes: null, shows: null }
    const order: Order = { tag, owner, key: tag, body, content, isOrdinary: true, answers: [], cuts: 0 }
    this.book.add(order)
    const startedMs = performance.now()
    for (;;) {
      const why = await this.#attempt(order)
      if (why === null) break
      this.failures.push({ atMs: performance.now(), why })
      await Bun.sleep(retryMs)
    }
    const atMs = performance.now()
    this.answered.push({ atMs, tookMs: atMs - startedMs })
  }

  /** @returns why it has to be repeated; null when it was answered */
  async #attempt(order: Order): Promise<Failure['why'] | null> {
    const before = promised(order)
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#deployment.keys[order.owner], 'content-type': 'application/json' },
        body: JSON.stringify(order.body),
      })
      const { error, data } = (await response.json()) as {
        error?: string
        data?: { id: string; status: string; idempotentReplay: boolean }
      }
      if (response.status === 503) return '503'
      this.book.keep(
        order,
        {
          status: response.status,
          error: error ?? null,
          messageId: data?.id ?? null,
          messageStatus: data?.status ?? null,
          isReplay: data?.idempotentReplay ?? false,
        },
        before,
      )
      return null
    } catch (error) {
      this.book.cut(order)
      return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'cut'
    }
  }
}
