import { answerText } from '../../base/answerText.ts'
import type { Clock, EpochMs } from '../../base/clock.ts'
import { Ring } from '../state/bounded.ts'
import { BOUNDS, SANDBOX } from '../state/defaults.ts'
import type { CallbackSettings } from '../state/settings.ts'
import { callbackEnvelope, type Update } from './envelope.ts'
import { escapeJson, type SignatureMode, signatureHeader } from './signing.ts'
import { receiverBytesMax, type Subscriptions } from './subscriptions.ts'
import { TimerQueue } from './timerQueue.ts'

/** One POST to a receiver, and its answer; status 0: no answer. */
export interface DeliveryRecord {
  readonly at: EpochMs
  readonly address: string
  readonly attempt: number
  readonly updates: number
  readonly bytes: number
  readonly status: number
}

export interface DeliveryTotals {
  readonly waiting: number
  readonly unanswered: number
  readonly repeats: number
  /** Updates and repeats that were dropped because the outbox was full. */
  readonly dropped: number
  /** Updates without a receiver: there was no subscription. */
  readonly withoutReceiver: number
}

interface Batch {
  readonly address: string
  readonly body: string
  readonly updates: number
  readonly headers: Readonly<Record<string, string>>
}

/** A POST to come; without `attempt` it is never repeated. */
interface Post {
  readonly batch: Batch
  readonly attempt: number | undefined
}

/** One address. At most `parallelMax` POSTs to it are unanswered, first ones and repeats together. */
interface Outbox {
  readonly address: string
  waiting: Update[]
  /** Repeats that are due. */
  due: Post[]
  unanswered: number
}

interface DeliveryParts {
  readonly clock: Clock
  readonly fetch: typeof fetch
  readonly subscriptions: Subscriptions
  readonly appSecret: string
  readonly accountId: string
  readonly settings: () => CallbackSettings
}

/** Sends callbacks: signed over exactly the bytes sent, in batches, in parallel, repeated until answered 200. */
export class CallbackSender {
  readonly #parts: DeliveryParts
  readonly #records = new Ring<DeliveryRecord>(BOUNDS.deliveries)
  readonly #outboxes = new Map<string, Outbox>()
  readonly #timers: TimerQueue
  readonly #unanswered = new Set<() => void>()
  /** Repeats that wait for their time or their turn. */
  #repeats = 0
  #repeatBytes = 0
  /** Incremented by `clear`: results of earlier POSTs are ignored. */
  #generation = 0
  #dropped = 0
  #withoutReceiver = 0
  #stopped = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#timers = new TimerQueue(parts.clock, BOUNDS.repeatBatches)
  }

  /** Queues an update. It is posted at once unless `parallelMax` POSTs to its address are unanswered. */
  enqueue(update: Update): void {
    const address = this.#addressOf(update)
    if (address === undefined || this.#stopped) return
    const outbox = this.#outboxTo(address)
    if (outbox.waiting.length >= BOUNDS.outboxUpdates) {
      this.#dropped += 1
      return
    }
    outbox.waiting.push(update)
    if (outbox.waiting.length === 1) this.#pumpSoon(outbox)
  }

  /** Sends one POST right now. @returns the HTTP status of the first attempt, 0 if there was no answer or address. */
  async deliverNow(updates: readonly Update[]): Promise<number> {
    const [first] = updates
    const address = first && this.#addressOf(first, updates.length)
    return address === undefined ? 0 : this.#attempt({ batch: this.#batch(address, updates), attempt: 1 })
  }

  /** Sends any payload at all, signed. It goes where callbacks of messages go, or to the line's own address. */
  async deliverRaw(payload: unknown, options: { lineId?: string; signature?: SignatureMode; retry?: boolean } = {}) {
    const address = this.#addressOf({ field: 'messages', ...options })
    if (address === undefined) return 0
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const batch = this.#sign(address, text, 1, options.signature)
    return this.#attempt({ batch, attempt: options.retry === false ? undefined : 1 })
  }

  /** @returns the size of the body that these updates would have in one POST. */
  bytesOf(updates: readonly Update[]): number {
    return escapeJson(this.#json(updates), this.#parts.settings().escapeSlashes).length
  }

  records(): DeliveryRecord[] {
    return this.#records.toArray()
  }

  totals(): DeliveryTotals {
    let waiting = 0
    let unanswered = 0
    for (const outbox of this.#outboxes.values()) {
      waiting += outbox.waiting.length
      unanswered += outbox.unanswered
    }
    return {
      waiting,
      unanswered,
      repeats: this.#repeats,
      dropped: this.#dropped,
      withoutReceiver: this.#withoutReceiver,
    }
  }

  /** Drops everything, including unanswered POSTs. */
  clear(): void {
    this.#generation += 1
    this.#timers.clear()
    this.#records.clear()
    for (const outbox of this.#outboxes.values()) {
      outbox.waiting = []
      outbox.due = []
    }
    for (const giveUp of this.#unanswered) giveUp()
    this.#repeats = 0
    this.#repeatBytes = 0
    this.#dropped = 0
    this.#withoutReceiver = 0
  }

  stop(): void {
    this.#stopped = true
    this.clear()
  }

  #addressOf({ field, lineId }: Pick<Update, 'field' | 'lineId'>, updates = 1): string | undefined {
    const address = this.#parts.subscriptions.addressOf(field, lineId)
    if (address === undefined) this.#withoutReceiver += updates
    return address
  }

  /** Updates that arrive within one turn of the loop share a POST. */
  #pumpSoon(outbox: Outbox): void {
    queueMicrotask(() => this.#pump(outbox))
  }

  #outboxTo(address: string): Outbox {
    const known = this.#outboxes.get(address)
    if (known) return known
    const outbox = { address, waiting: [], due: [], unanswered: 0 }
    this.#outboxes.set(address, outbox)
    return outbox
  }

  #pump(outbox: Outbox): void {
    while (outbox.unanswered < this.#parts.settings().parallelMax && !this.#stopped) {
      const post = this.#nextOf(outbox)
      if (!post) break
      outbox.unanswered += 1
      this.#attempt(post).then(() => {
        outbox.unanswered -= 1
        this.#pump(outbox)
      })
    }
    const isIdle = outbox.unanswered + outbox.waiting.length + outbox.due.length === 0
    if (isIdle && this.#outboxes.get(outbox.address) === outbox) this.#outboxes.delete(outbox.address)
  }

  #nextOf(outbox: Outbox): Post | undefined {
    const repeat = outbox.due.shift()
    if (repeat) {
      this.#repeats -= 1
      this.#repeatBytes -= repeat.batch.body.length
      return repeat
    }
    if (outbox.waiting.length === 0) return undefined
    const updates = outbox.waiting.splice(0, this.#parts.settings().batchMax)
    return { batch: this.#batch(outbox.address, updates), attempt: 1 }
  }

  #repeatLater(batch: Batch, attempt: number, gapMs: number): void {
    const bytes = this.#repeatBytes + batch.body.length
    if (this.#repeats >= BOUNDS.repeatBatches || bytes > BOUNDS.repeatBytes) {
      this.#dropped += 1
      return
    }
    this.#repeats += 1
    this.#repeatBytes = bytes
    this.#timers.add(gapMs, () => {
      const outbox = this.#outboxTo(batch.address)
      outbox.due.push({ batch, attempt })
      this.#pump(outbox)
    })
  }

  #batch(address: string, updates: readonly Update[]): Batch {
    return this.#sign(address, this.#json(updates), updates.length)
  }

  #json(updates: readonly Update[]): string {
    return JSON.stringify(
      callbackEnvelope(this.#parts.accountId, updates, this.#parts.clock.now(), this.#parts.settings().badEntry),
    )
  }

  #sign(address: string, json: string, updates: number, mode?: SignatureMode): Batch {
    const { escapeSlashes, signature } = this.#parts.settings()
    const body = escapeJson(json, escapeSlashes)
    const header = signatureHeader(body, this.#parts.appSecret, mode ?? signature)
    return {
      address,
      body,
      updates,
      headers: {
        'content-type': 'application/json',
        'user-agent': SANDBOX.appName,
        ...(header !== undefined && { 'x-hub-signature-256': header }),
      },
    }
  }

  /** Never throws. */
  async #attempt({ batch, attempt }: Post): Promise<number> {
    const generation = this.#generation
    const status = await this.#post(batch)
    if (generation !== this.#generation) return status
    this.#records.push({
      at: this.#parts.clock.now(),
      address: batch.address,
      attempt: attempt ?? 1,
      updates: batch.updates,
      bytes: batch.body.length,
      status,
    })
    const gapMs = attempt === undefined ? undefined : this.#parts.settings().retryGapsMs[attempt - 1]
    if (status !== 200 && attempt !== undefined && gapMs !== undefined) this.#repeatLater(batch, attempt + 1, gapMs)
    return status
  }

  async #post({ address, body, headers }: Batch): Promise<number> {
    const abort = new AbortController()
    const cancel = this.#parts.clock.setTimer(this.#parts.settings().timeoutMs, () => abort.abort())
    const giveUp = () => {
      cancel()
      abort.abort()
    }
    this.#unanswered.add(giveUp)
    try {
      const response = await this.#parts.fetch(address, {
        method: 'POST',
        body,
        headers,
        signal: abort.signal,
        redirect: 'manual',
        // A proxy of the environment must not see the messages, and does not reach this machine.
        proxy: false,
      })
      await answerText(response, receiverBytesMax)
      return response.status
    } catch {
      return 0
    } finally {
      cancel()
      this.#unanswered.delete(giveUp)
    }
  }
}
