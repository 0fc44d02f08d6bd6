import type { Clock, EpochMs } from '../clock.ts'
import { Agenda } from './agenda.ts'
import { Ring } from './bounded.ts'
import { BOUNDS, SANDBOX } from './defaults.ts'
import type { JsonObject } from './json.ts'
import type { CallbackSettings } from './settings.ts'
import { escapeJson, type SignatureMode, signatureHeader } from './signing.ts'
import type { Subscriptions } from './subscriptions.ts'

/** One piece of news: a status, an inbound message, a template event. */
export interface Update {
  readonly field: string
  readonly lineId?: string
  readonly value: JsonObject
}

/** One POST to a receiver, and how it was answered; status 0 means not at all. */
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
  /** Updates and repeats for which there was no room. */
  readonly dropped: number
  /** Updates that went nowhere, because nobody has subscribed. */
  readonly withoutReceiver: number
}

interface Batch {
  readonly address: string
  readonly body: string
  readonly updates: number
  readonly headers: Readonly<Record<string, string>>
}

interface Lane {
  readonly address: string
  waiting: Update[]
  unanswered: number
}

/** Sends callbacks: signed over exactly the bytes sent, in batches, in parallel, repeated until answered 200. */
export class Delivery {
  readonly #clock: Clock
  readonly #fetch: typeof fetch
  readonly #subscriptions: Subscriptions
  readonly #appSecret: string
  readonly #settings: () => CallbackSettings
  readonly #records = new Ring<DeliveryRecord>(BOUNDS.deliveries)
  readonly #lanes = new Map<string, Lane>()
  readonly #retries: Agenda
  readonly #unanswered = new Set<() => void>()
  readonly #accountId: string
  #dropped = 0
  #withoutReceiver = 0
  #stopped = false

  constructor(options: {
    clock: Clock
    fetch: typeof fetch
    subscriptions: Subscriptions
    appSecret: string
    accountId: string
    settings: () => CallbackSettings
  }) {
    this.#clock = options.clock
    this.#fetch = options.fetch
    this.#subscriptions = options.subscriptions
    this.#appSecret = options.appSecret
    this.#accountId = options.accountId
    this.#settings = options.settings
    this.#retries = new Agenda(options.clock, BOUNDS.retryBatches)
  }

  /** Hands an update over. It goes out at once unless `parallelMax` POSTs to its address are unanswered. */
  enqueue(update: Update): void {
    const address = this.#addressOf(update)
    if (address === undefined || this.#stopped) return
    let lane = this.#lanes.get(address)
    if (!lane) {
      lane = { address, waiting: [], unanswered: 0 }
      this.#lanes.set(address, lane)
    }
    if (lane.waiting.length >= BOUNDS.outboxUpdates) {
      this.#dropped += 1
      return
    }
    lane.waiting.push(update)
    if (lane.waiting.length === 1) this.#pumpSoon(lane)
  }

  /** Sends one POST right now. @returns the HTTP status of the first attempt, 0 if there was no answer or address. */
  async deliverNow(updates: readonly Update[]): Promise<number> {
    const [first] = updates
    const address = first && this.#addressOf(first, updates.length)
    return address === undefined ? 0 : this.#attempt(this.#batch(address, updates), 1)
  }

  /** Sends any payload at all, signed. It goes where callbacks of messages go, or to the line's own address. */
  async deliverRaw(payload: unknown, options: { lineId?: string; signature?: SignatureMode; retry?: boolean } = {}) {
    const address = this.#addressOf({ field: 'messages', ...options })
    if (address === undefined) return 0
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    return this.#attempt(this.#sign(address, text, 1, options.signature), options.retry === false ? undefined : 1)
  }

  /** @returns the size of the body that these updates would have in one POST. */
  bytesOf(updates: readonly Update[]): number {
    return escapeJson(this.#json(updates), this.#settings().escapeSlashes).length
  }

  records(): DeliveryRecord[] {
    return this.#records.toArray()
  }

  totals(): DeliveryTotals {
    let waiting = 0
    let unanswered = 0
    for (const lane of this.#lanes.values()) {
      waiting += lane.waiting.length
      unanswered += lane.unanswered
    }
    return {
      waiting,
      unanswered,
      repeats: this.#retries.size,
      dropped: this.#dropped + this.#retries.dropped,
      withoutReceiver: this.#withoutReceiver,
    }
  }

  clear(): void {
    this.#retries.clear()
    this.#records.clear()
    for (const lane of this.#lanes.values()) lane.waiting = []
    this.#dropped = 0
    this.#withoutReceiver = 0
  }

  stop(): void {
    this.#stopped = true
    this.clear()
    for (const giveUp of this.#unanswered) giveUp()
  }

  #addressOf({ field, lineId }: Pick<Update, 'field' | 'lineId'>, updates = 1): string | undefined {
    const address = this.#subscriptions.addressOf(field, lineId)
    if (address === undefined) this.#withoutReceiver += updates
    return address
  }

  /** Updates that arrive within one turn of the loop share a POST. */
  #pumpSoon(lane: Lane): void {
    queueMicrotask(() => this.#pump(lane))
  }

  #pump(lane: Lane): void {
    const { batchMax, parallelMax } = this.#settings()
    while (lane.waiting.length > 0 && lane.unanswered < parallelMax && !this.#stopped) {
      const updates = lane.waiting.splice(0, batchMax)
      lane.unanswered += 1
      this.#attempt(this.#batch(lane.address, updates), 1).then(() => {
        lane.unanswered -= 1
        if (lane.waiting.length > 0) this.#pump(lane)
        else if (lane.unanswered === 0) this.#lanes.delete(lane.address)
      })
    }
  }

  #batch(address: string, updates: readonly Update[]): Batch {
    return this.#sign(address, this.#json(updates), updates.length)
  }

  #json(updates: readonly Update[]): string {
    return JSON.stringify(envelopeOf(this.#accountId, updates, this.#clock.now(), this.#settings().badEntry))
  }

  #sign(address: string, json: string, updates: number, mode?: SignatureMode): Batch {
    const { escapeSlashes, signature } = this.#settings()
    const body = escapeJson(json, escapeSlashes)
    const header = signatureHeader(body, this.#appSecret, mode ?? signature)
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

  /** Never throws. @param attempt  1 for the first; nothing means: do not repeat */
  async #attempt(batch: Batch, attempt: number | undefined): Promise<number> {
    const status = await this.#post(batch)
    this.#records.push({
      at: this.#clock.now(),
      address: batch.address,
      attempt: attempt ?? 1,
      updates: batch.updates,
      bytes: batch.body.length,
      status,
    })
    const gapMs = attempt === undefined ? undefined : this.#settings().retryGapsMs[attempt - 1]
    if (status !== 200 && attempt !== undefined && gapMs !== undefined && !this.#stopped)
      this.#retries.add(gapMs, () => void this.#attempt(batch, attempt + 1))
    return status
  }

  async #post({ address, body, headers }: Batch): Promise<number> {
    const abort = new AbortController()
    const cancel = this.#clock.setTimer(this.#settings().timeoutMs, () => abort.abort())
    const giveUp = () => {
      cancel()
      abort.abort()
    }
    this.#unanswered.add(giveUp)
    try {
      const response = await this.#fetch(address, {
        method: 'POST',
        body,
        headers,
        signal: abort.signal,
        redirect: 'manual',
        // A proxy of the environment must not see the messages, and does not reach this machine.
        proxy: false,
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    } finally {
      cancel()
      this.#unanswered.delete(giveUp)
    }
  }
}

/**
 * The envelope of a batch. Statuses of one line share a value, everything else has a change of its own, and both
 * kinds an entry of their own: a receiver has to walk every level.
 */
export function envelopeOf(accountId: string, updates: readonly Update[], now: EpochMs, badEntry = false): JsonObject {
  const time = Math.floor(now / 1_000)
  const statuses = new Map<string, { field: string; value: Record<string, unknown>; list: unknown[] }>()
  const others: { field: string; value: JsonObject }[] = []
  for (const { field, lineId, value } of updates) {
    if (field !== 'messages' || !Array.isArray(value.statuses) || value.contacts !== undefined) {
      others.push({ field, value })
      continue
    }
    const shared = statuses.get(lineId ?? '')
    if (shared) shared.list.push(...value.statuses)
    else {
      const list = [...value.statuses]
      statuses.set(lineId ?? '', { field, value: { ...value, statuses: list }, list })
    }
  }
  const entry: unknown[] = []
  if (statuses.size > 0)
    entry.push({
      id: accountId,
      time,
      changes: Array.from(statuses.values(), ({ field, value }) => ({ field, value })),
    })
  if (badEntry) entry.push({ id: accountId, time, changes: [{ field: 'messages', value: { statuses: ['?'] } }, null] })
  if (others.length > 0) entry.push({ id: accountId, time, changes: others })
  return { object: 'whatsapp_business_account', entry }
}
