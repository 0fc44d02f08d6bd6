import { drawContent, newPicture, type Quotable, tagOf } from './contents.ts'
import type { Deployment, LineName } from './deployment.ts'
import { type Answer, type Order, type OrderBook, promised } from './orders.ts'
import type { Random } from './random.ts'

/** So many orders of the run before are repeated first, before anything else may cover up what the kill did. */
const replayCount = 60

/** Few enough that the stand-in keeps each of them for each line. */
const filesMax = 40
const mediaPath = '/api/v1/public/media'

/** Every other send to it: too many to this recipient. One that is so several times in a row waits for minutes. */
export const throttledRecipient = '+15550131056'

/** Recipients for whom the stand-in makes faults; the rest are ordinary. */
const faultyRecipients = [
  '+15550101026', // refused: 131026
  '+15550100010', // refused: 10
  '+15550131500', // answered 500, though sent
  '+15550130500', // answered 500, not sent
  '+15550130201', // answered 200 without a message id, though sent
  '+15550130002', // every other send: a temporary error
  throttledRecipient,
]

/** Who calls, and what for. */
export interface Calls {
  /** Requests under way at any moment: each kill finds about so many without an answer. */
  readonly callers: number
  /** Of a caller between two of its requests. */
  readonly restMs: number
  /** How often each line is used, in percent. */
  readonly lines: readonly (readonly [LineName, number])[]
  /** The share of orders with an idempotency key. */
  readonly keyed: number
  readonly faultyRecipients: readonly string[]
}

export const everyCall: Calls = {
  callers: 24,
  restMs: 0,
  lines: [
    ['open', 52],
    ['faulty', 10],
    ['paced', 12],
    ['paired', 10],
    ['limited', 16],
  ],
  keyed: 0.85,
  faultyRecipients,
}

/** Why an order has no answer yet: the port was closed, the connection was cut, or the gateway is not available. */
export type Failure = 'refused' | 'cut' | 'unavailable'

/** Where the callers find the gateway, and what they have to expect of it. */
export interface Gateways {
  /** @returns the address that the next request goes to */
  address(): string
  /** Whether a connection to it may be cut. */
  mayCut(address: string): boolean
  /** Whether no more is to be asked for. */
  isOver(): boolean
  /** Resolves when the order that failed there may be repeated. */
  failed?(address: string, why: Failure): Promise<void>
  /** An order has its answer, so long after its first attempt. */
  answered?(tookMs: number): void
  /** A request without an answer is given up after that. */
  readonly patienceMs?: number
  /** Headers that a proxy adds. */
  proxyHeaders?(): Readonly<Record<string, string>>
}

/** A gateway that serves until the end of the run. */
export const lasting = (url: string): Gateways => ({ address: () => url, mayCut: () => false, isOver: () => false })

/** The partners' backends: they send, repeat and look, and remember what they were answered. */
export class Callers {
  readonly #deployment: Deployment
  readonly #book: OrderBook
  readonly #random: Random
  readonly #calls: Calls
  #recent: Order[] = []
  #count = 0
  #isUploading = false

  constructor(deployment: Deployment, book: OrderBook, random: Random, calls: Calls) {
    this.#calls = calls
    this.#deployment = deployment
    this.#book = book
    this.#random = random
  }

  /** Sends until it is over; resolves when the last client has noticed. */
  async run(gateways: Gateways): Promise<void> {
    const former = this.#recent
    const replays = Array.from({ length: Math.min(replayCount, former.length) }, () => this.#random.pick(former))
    this.#recent = []
    const client = async () => {
      while (!gateways.isOver()) {
        const replay = replays.pop()
        if (replay) await this.#post(gateways, replay)
        else await this.#act(gateways)
        if (this.#calls.restMs > 0) await Bun.sleep(this.#calls.restMs)
      }
    }
    await this.#atOnce(client)
  }

  /** Posts each order once more, and each must be answered. */
  async repeat(gateways: Gateways, orders: readonly Order[]): Promise<void> {
    const waiting = [...orders]
    const client = async () => {
      for (let order = waiting.pop(); order; order = waiting.pop()) await this.#post(gateways, order)
    }
    await this.#atOnce(client)
  }

  async #atOnce(client: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.#calls.callers }, client))
  }

  async #act(gateways: Gateways): Promise<void> {
    const random = this.#random
    const known = this.#recent.length === 0 ? undefined : random.pick(this.#recent)
    if (known && random.chance(0.05)) return this.#post(gateways, known)
    if (known && random.chance(0.05)) return this.#look(gateways, known)
    if (random.chance(0.03)) return this.#write()
    if (!this.#isUploading && this.#book.files.length < filesMax && random.chance(0.05)) return this.#upload(gateways)
    const order = this.#book.add(this.#newOrder())
    if (order.key !== null) this.#recent.push(order)
    const copies = order.key !== null && random.chance(0.1) ? 3 : 1
    await Promise.all(Array.from({ length: copies }, () => this.#post(gateways, order)))
  }

  #newOrder(): Order {
    const random = this.#random
    this.#count += 1
    const tag = tagOf(this.#count)
    const quoted = random.chance(0.2) ? this.#quotable() : null
    const line = quoted?.line ?? this.#chooseLine()
    const { id: phoneNumberId, owner } = this.#deployment.lines[line]
    const isOrdinary = line !== 'faulty'
    const phone = quoted?.phone ?? (isOrdinary ? this.#ordinaryPhone(line) : random.pick(this.#calls.faultyRecipients))
    const files = this.#book.files.filter(file => file.owner === owner)
    const content = drawContent(random, this.#count, { files, upstreamUrl: this.#deployment.platform.url }, quoted)
    const key = random.chance(this.#calls.keyed) ? tag : null
    const body = { ...content.fields, phone, phoneNumberId, ...(key !== null && { idempotencyKey: key }) }
    return { tag, owner, key, body, content, isOrdinary, answers: [], cuts: 0 }
  }

  #ordinaryPhone(line: LineName): string {
    return `+1555020${String(this.#random.whole(0, line === 'paired' ? 5 : 99)).padStart(4, '0')}`
  }

  /** What a user wrote, or what a client was told to be sent. @returns null when there is no such thing yet */
  #quotable(): Quotable | null {
    const { written } = this.#book
    if (written.length > 0 && this.#random.chance(0.6)) return this.#random.pick(written)
    const order = this.#recent.length > 0 ? this.#random.pick(this.#recent) : null
    const sent = order?.answers.find(({ messageStatus }) => messageStatus !== null && hasArrived(messageStatus))
    if (!order || !sent?.messageId || order.content.fields.type === 'reaction') return null
    const { phone, phoneNumberId } = order.body
    const line = Object.entries(this.#deployment.lines).find(([, { id }]) => id === phoneNumberId)?.[0] as LineName
    return { id: sent.messageId, line, phone: String(phone) }
  }

  async #write(): Promise<void> {
    const line = this.#random.pick(this.#calls.lines.map(([name]) => name).filter(name => name !== 'faulty'))
    const phone = this.#ordinaryPhone(line)
    const id = await this.#deployment.platform.write(this.#deployment.lines[line].upstreamPhoneId, phone)
    this.#book.written.push({ id, line, phone })
  }

  /** A file whose upload was answered is kept from then on; of one that was cut nothing is known. */
  async #upload(gateways: Gateways): Promise<void> {
    this.#isUploading = true
    const owner = this.#random.pick(['unlimited', 'limited'] as const)
    const bytes = newPicture(this.#random)
    const form = new FormData()
    form.append('file', new Blob([bytes]), 'picture.png')
    const init = { method: 'POST', body: form }
    const address = gateways.address()
    const answer = await this.#request(gateways, address, mediaPath, { owner, tag: 'a file' }, init)
    this.#isUploading = false
    if (typeof answer === 'string') return gateways.failed?.(address, answer)
    if (this.#book.mayBeUnavailable(answer)) return gateways.failed?.(address, 'unavailable')
    if (answer.status === 201 && answer.messageId !== null)
      this.#book.files.push({ id: answer.messageId, owner, bytes })
    else this.#book.violations.push(`a file was answered ${answer.status} ${answer.error}`)
  }

  /** Each file that was answered for is given back as it was. */
  async lookAtFiles(gateways: Gateways): Promise<void> {
    for (const { id, owner, bytes } of this.#book.files) {
      const headers = { ...this.#deployment.keys[owner], ...gateways.proxyHeaders?.() }
      const answer = await fetch(`${gateways.address()}${mediaPath}/${id}`, { headers })
      const given = Buffer.from(await answer.arrayBuffer())
      if (answer.status !== 200 || !given.equals(bytes))
        this.#book.violations.push(`${id}: was kept, and is answered ${answer.status} with ${given.length} bytes`)
    }
  }

  #chooseLine(): LineName {
    let left = this.#random.next() * 100
    for (const [name, share] of this.#calls.lines) {
      left -= share
      if (left < 0) return name
    }
    return 'open'
  }

  /** With a key, a client asks again until it is answered. */
  async #post(gateways: Gateways, order: Order): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', body: JSON.stringify(order.body), headers }
    const beganMs = performance.now()
    for (;;) {
      const address = gateways.address()
      const failure = await this.#attempt(gateways, address, order, init)
      if (failure === null) return gateways.answered?.(performance.now() - beganMs)
      await gateways.failed?.(address, failure)
      if (order.key === null || gateways.isOver()) return
    }
  }

  /** @returns why it has to be repeated; null when it was answered */
  async #attempt(gateways: Gateways, address: string, order: Order, init: Init): Promise<Failure | null> {
    const before = promised(order)
    const answer = await this.#request(gateways, address, '/api/v1/public/messages/send', order, init)
    if (typeof answer === 'string') {
      this.#book.cut(order)
      return answer
    }
    this.#book.keep(order, answer, before)
    return this.#book.mayBeUnavailable(answer) ? 'unavailable' : null
  }

  async #look(gateways: Gateways, order: Order): Promise<void> {
    const id = promised(order)
    if (id === null) return
    const path = `/api/v1/public/messages/${id}`
    const answer = await this.#request(gateways, gateways.address(), path, order, {})
    if (typeof answer === 'string' || this.#book.mayBeUnavailable(answer)) return
    if (answer.status !== 200 || answer.messageId !== id)
      this.#book.violations.push(`${order.tag}: was promised ${id}, and its status is answered ${answer.status}`)
  }

  /** @returns its answer, or why there is none */
  async #request(
    gateways: Gateways,
    address: string,
    path: string,
    { owner, tag }: Pick<Order, 'owner' | 'tag'>,
    init: Init,
  ): Promise<Answer | 'refused' | 'cut'> {
    const { patienceMs } = gateways
    const signal = patienceMs === undefined ? null : AbortSignal.timeout(patienceMs)
    try {
      const key = this.#deployment.keys[owner]
      const headers = { ...key, ...init.headers, ...gateways.proxyHeaders?.() }
      const response = await fetch(address + path, { ...init, headers, signal })
      const { error, data, details } = (await response.json()) as Wire
      return {
        status: response.status,
        error: error ?? null,
        messageId: data?.id ?? details?.messageId ?? null,
        messageStatus: data?.status ?? null,
        isReplay: data?.idempotentReplay ?? false,
      }
    } catch (error) {
      if (!gateways.mayCut(address) && !signal?.aborted)
        this.#book.violations.push(`${tag}: the connection was cut while the gateway ran: ${error}`)
      return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'cut'
    }
  }
}

interface Init {
  readonly method?: string
  readonly body?: string | FormData
  readonly headers?: Readonly<Record<string, string>>
}

interface Wire {
  readonly error?: string
  readonly data?: { readonly id: string; readonly status: string; readonly idempotentReplay: boolean }
  readonly details?: { readonly messageId?: string }
}

/** The upstream's id is known, and stays so. */
const hasArrived = (status: string) => status === 'SENT' || status === 'DELIVERED' || status === 'READ'
