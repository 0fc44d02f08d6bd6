import { type Answer, type Order, type OrderBook, promised } from './orders.ts'
import type { Random } from './random.ts'
import type { LineName, Scene } from './scene.ts'
import { templateName } from './standIn.ts'

/** Requests under way at any moment: each kill finds about so many without an answer. */
const clientCount = 24
/** So many orders of the run before are repeated first, before anything else may cover up what the kill did. */
const replayCount = 60

/** How often each line is used, in percent. */
const shares: readonly (readonly [LineName, number])[] = [
  ['open', 52],
  ['faulty', 10],
  ['paced', 12],
  ['paired', 10],
  ['limited', 16],
]

/** Recipients for whom the stand-in makes faults; the rest are ordinary. */
const faultyRecipients = [
  '+15550101026', // refused: 131026
  '+15550100010', // refused: 10
  '+15550131500', // answered 500, though sent
  '+15550130500', // answered 500, not sent
  '+15550130201', // answered 200 without a message id, though sent
  '+15550130002', // every other send: a temporary error
  '+15550131056', // every other send: too many to this recipient
] as const

/** The partners' backends: they send, repeat and look, and remember what they were answered. */
export class Clients {
  readonly #scene: Scene
  readonly #book: OrderBook
  readonly #random: Random
  #recent: Order[] = []
  #count = 0

  constructor(scene: Scene, book: OrderBook, random: Random) {
    this.#scene = scene
    this.#book = book
    this.#random = random
  }

  /** Sends until the gateway is cut off; resolves when the last client has noticed. */
  async run(url: string, isCut: () => boolean): Promise<void> {
    const former = this.#recent
    const replays = Array.from({ length: Math.min(replayCount, former.length) }, () => this.#random.pick(former))
    this.#recent = []
    const client = async () => {
      while (!isCut()) {
        const replay = replays.pop()
        if (replay) await this.#post(url, replay, isCut)
        else await this.#act(url, isCut)
      }
    }
    await Promise.all(Array.from({ length: clientCount }, client))
  }

  /** Posts each order once more, and each must be answered. */
  async repeat(url: string, orders: readonly Order[]): Promise<void> {
    const waiting = [...orders]
    const client = async () => {
      for (let order = waiting.pop(); order; order = waiting.pop()) await this.#post(url, order, () => false)
    }
    await Promise.all(Array.from({ length: clientCount }, client))
  }

  async #act(url: string, isCut: () => boolean): Promise<void> {
    const random = this.#random
    const known = this.#recent.length === 0 ? undefined : random.pick(this.#recent)
    if (known && random.chance(0.05)) return this.#post(url, known, isCut)
    if (known && random.chance(0.05)) return this.#look(url, known, isCut)
    const order = this.#book.add(this.#newOrder())
    if (order.key !== null) this.#recent.push(order)
    const copies = order.key !== null && random.chance(0.1) ? 3 : 1
    await Promise.all(Array.from({ length: copies }, () => this.#post(url, order, isCut)))
  }

  #newOrder(): Order {
    const random = this.#random
    this.#count += 1
    const tag = `order-${this.#count}`
    const line = this.#chooseLine()
    const { id: phoneNumberId, owner } = this.#scene.lines[line]
    const isOrdinary = line !== 'faulty'
    const key = random.chance(0.85) ? tag : null
    const phone = isOrdinary
      ? `+1555020${String(random.whole(0, line === 'paired' ? 5 : 99)).padStart(4, '0')}`
      : random.pick(faultyRecipients)
    const content = random.chance(0.3)
      ? { type: 'template', templateName, templateVariables: { 1: tag } }
      : { type: 'text', content: tag }
    const body = { ...content, phone, phoneNumberId, ...(key !== null && { idempotencyKey: key }) }
    return { tag, owner, key, body, isOrdinary, answers: [], cuts: 0 }
  }

  #chooseLine(): LineName {
    let left = this.#random.next() * 100
    for (const [name, share] of shares) {
      left -= share
      if (left < 0) return name
    }
    return 'open'
  }

  async #post(url: string, order: Order, isCut: () => boolean): Promise<void> {
    const init = { method: 'POST', body: JSON.stringify(order.body) }
    const before = promised(order)
    const answer = await this.#request(`${url}/api/v1/public/messages/send`, order, init, isCut)
    if (answer) this.#book.keep(order, answer, before)
    else this.#book.cut(order)
  }

  async #look(url: string, order: Order, isCut: () => boolean): Promise<void> {
    const id = promised(order)
    if (id === null) return
    const answer = await this.#request(`${url}/api/v1/public/messages/${id}`, order, {}, isCut)
    if (answer && (answer.status !== 200 || answer.messageId !== id)) {
      this.#book.violations.push(`${order.tag}: was promised ${id}, and its status is answered ${answer.status}`)
    }
  }

  /** @returns null when the connection was cut. */
  async #request(url: string, { owner, tag }: Order, init: RequestInit, isCut: () => boolean): Promise<Answer | null> {
    try {
      const headers = { ...this.#scene.keys[owner], 'content-type': 'application/json' }
      const response = await fetch(url, { ...init, headers })
      const { error, data, details } = (await response.json()) as Wire
      return {
        status: response.status,
        error: error ?? null,
        messageId: data?.id ?? details?.messageId ?? null,
        messageStatus: data?.status ?? null,
        isReplay: data?.idempotentReplay ?? false,
      }
    } catch (error) {
      if (!isCut()) this.#book.violations.push(`${tag}: the connection was cut while the gateway ran: ${error}`)
      return null
    }
  }
}

interface Wire {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay: boolean }
  readonly details?: { readonly messageId?: string }
}
