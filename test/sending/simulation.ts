import type { Line, Message, MessageState, Recorded, Resumable } from '../../db/contract/records.ts'
import type { Store, StoreWrites } from '../../db/contract/store.ts'
import type { Clock, EpochMs, SteadyMs } from '../../src/base/clock.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import type { Attempt, SendAnswer, UpstreamFault } from '../../src/graph/answer.ts'
import { Outbox, type OutboxParts } from '../../src/sending/outbox.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { ManualClock } from '../clock.ts'
import { acceptedNow, acceptedToWait, line as aLine, draft, handOvers } from '../db/fixtures.ts'

/** Lets every promise that is already settled run its course. */
export const turn = () => new Promise<void>(resolve => setImmediate(resolve))

export const start = Date.UTC(2026, 0, 1)

/** A clock that knows when its next timer is due, so that a test passes time exactly from one to the next. */
class SteppedClock implements Clock {
  readonly manual = new ManualClock(start)
  readonly #dues = new Set<{ readonly at: EpochMs }>()

  now(): EpochMs {
    return this.manual.now()
  }

  steady(): SteadyMs {
    return this.manual.steady()
  }

  ago(ms: number): EpochMs {
    return this.manual.ago(ms)
  }

  setTimer(delayMs: number, fire: () => void): () => void {
    const due = { at: this.now() + Math.max(0, delayMs) }
    this.#dues.add(due)
    const cancel = this.manual.setTimer(delayMs, () => {
      this.#dues.delete(due)
      fire()
    })
    return () => {
      this.#dues.delete(due)
      cancel()
    }
  }

  /** Lets time pass; what becomes due runs at its time, with everything that follows from it. */
  async pass(ms: number): Promise<void> {
    await turn()
    const end = this.now() + ms
    for (;;) {
      const next = Math.min(...[...this.#dues].map(due => due.at))
      if (next > end) break
      this.manual.advance(next - this.now())
      await turn()
    }
    this.manual.advance(end - this.now())
    await turn()
  }
}

const wait = (clock: Clock, ms: number) => new Promise<void>(resolve => clock.setTimer(ms, resolve))

export const fault: UpstreamFault = {
  errorClass: 'retry',
  fault: 'upstream',
  retryable: true,
  code: 2,
  subcode: null,
  title: 'Service temporarily unavailable',
  details: null,
  traceId: null,
}

export const accepted: SendAnswer = { kind: 'accepted', channelMessageId: 'wamid.1', waId: null, messageStatus: null }
export const notNow = (scope: 'app' | 'line' | 'pair' | 'message', retryAfterMs: number | null = null): Attempt => ({
  kind: 'notNow',
  scope,
  retryAfterMs,
  fault,
})

/** What a test says of a message. */
export interface Order {
  readonly recipient: string
  readonly lineId: string
  readonly channelId: string
  readonly perSecond: number
  readonly pairSeconds: number
  readonly ttlSeconds: number | null
  /** It comes from an earlier process: the disk knows it as waiting. */
  readonly isResumed: boolean
  readonly createdAt: EpochMs | null
}

const anOrder: Order = {
  recipient: '+4930123456',
  lineId: 'line_1',
  channelId: 'chan_1',
  perSecond: 0,
  pairSeconds: 0,
  ttlSeconds: null,
  isResumed: false,
  createdAt: null,
}

/** An outbox whose upstream and disk a test describes: the answers, and how long each takes. */
export class Simulation {
  readonly clock = new SteppedClock()
  /** Every attempt in the order it was made, seconds after the start. */
  readonly left: { readonly id: string; readonly to: string; readonly at: number; readonly token: string }[] = []
  /** The events that ended messages, in the order they were stored. */
  readonly settled: { readonly id: string; readonly event: string; readonly detail: Recorded['detail'] }[] = []
  /** `defer`, `hand over` and `leave` of each message, in order. */
  readonly steps: string[] = []
  /** How many messages each write hands over. */
  readonly handOvers: number[] = []
  /** When each of them was begun, in seconds after the start. */
  readonly handedOverAt: number[] = []
  readonly warnings: unknown[] = []
  /** The upstream's answer to an attempt; `nth` counts the attempts for one message from 1. */
  answer: (id: string, nth: number) => Attempt = () => accepted
  upstreamMs = 0
  /** The channel's. */
  token = 'token'
  /** How long the write takes that hands over. */
  diskMs: () => number = () => 0
  /** Whether there is a sender thread. */
  hasSender = true
  /** Every random number, from 0 (included) to 1. */
  random = 1
  /** How often the settings of a line were read. */
  sendReads = 0
  readonly #orders = new Map<string, Order>()
  /** As the disk has them. */
  readonly #lines = new Map<string, Line>()
  #pauseMs = 0

  readonly outbox = new Outbox({
    store: { read: this.#settings(), write: this.#disk(), shared: null } as unknown as Store,
    sender: this.#sender(),
    templateRefresher: { request: () => {} },
    explainer: { explain: async (_channelId, _payload, fault) => fault },
    accessToken: async () => this.token,
    clock: this.clock,
    random: () => this.random,
    log: Object.assign(Object.create(silentLogger), { warn: (entry: unknown) => this.warnings.push(entry) }) as Logger,
    metrics: new Metrics(),
    queueMax: 100_000,
  })

  /** Accepts a message. @returns its id; they are given in order: `m1`, `m2` … */
  add(fields: Partial<Order> = {}): string {
    const id = `m${this.#orders.size + 1}`
    const order = { ...anOrder, ...fields }
    this.#orders.set(id, order)
    this.#send(id, order)
    return id
  }

  /** Has the upstream ask for a pause of the whole account, by its answer to another line. */
  async pause(ms: number): Promise<void> {
    this.#pauseMs = ms
    this.#send('pause', { ...anOrder, lineId: 'line_9' })
    await turn()
  }

  /** The operator changes a line, and nobody sends anything. */
  change(lineId: string, settings: Partial<Pick<Line, 'perSecond' | 'pairSeconds'>>): void {
    const line = this.#lines.get(lineId)
    if (!line) throw new Error(`there is no line ${lineId}`)
    this.#lines.set(lineId, { ...line, ...settings })
  }

  /** When each attempt was made, in seconds after the start. */
  times(): number[] {
    return this.left.map(({ at }) => at)
  }

  #order(id: string): Order {
    const order = this.#orders.get(id)
    if (!order) throw new Error(`there is no message ${id}`)
    return order
  }

  #send(id: string, { recipient, isResumed, ttlSeconds, createdAt, ...ofLine }: Order): void {
    const { lineId, ...settings } = ofLine
    const line = aLine({ id: lineId, ...settings })
    this.#lines.set(lineId, line)
    // By its payload the upstream knows the message.
    const payload = ttlSeconds === null ? id : JSON.stringify({ id, category: 'utility', ttl_seconds: ttlSeconds })
    const message = draft({
      id,
      lineId,
      channelId: line.channelId,
      recipient,
      payload,
      createdAt: createdAt ?? this.clock.now(),
    })
    const waits = { ...message, workspaceId: line.workspaceId, status: 'QUEUED', dispatchedAt: null }
    if (isResumed) this.outbox.resume({ message: waits as unknown as Message, payload } as Resumable, line, 'old token')
    else void this.outbox.accept(message, line, this.token, null)
  }

  #sender(): OutboxParts['sender'] {
    const isReady = () => this.hasSender
    return {
      get isReady() {
        return isReady()
      },
      send: async ({ payload, accessToken }) => {
        if (!isReady()) throw new Unavailable('no sender thread is ready')
        return this.#attempt(payload.startsWith('{') ? JSON.parse(payload).id : payload, accessToken)
      },
    }
  }

  async #attempt(id: string, token: string): Promise<Attempt> {
    if (id === 'pause') return notNow('app', this.#pauseMs)
    this.steps.push(`leave ${id}`)
    const nth = this.left.filter(entry => entry.id === id).length + 1
    this.left.push({ id, to: this.#order(id).recipient, at: this.#seconds(), token })
    const answer = this.answer(id, nth)
    if (this.upstreamMs > 0) await wait(this.clock, this.upstreamMs)
    return answer
  }

  #settings(): OutboxParts['store']['read'] {
    return {
      line: async lineId => {
        this.sendReads += 1
        return this.#lines.get(lineId) ?? null
      },
      spelling: async () => null,
    }
  }

  #disk(): Pick<StoreWrites, 'acceptMessage' | 'handOverMessages' | 'deferMessages' | 'recordEvent' | 'keepUpdates'> {
    return {
      acceptMessage: async ({ dispatchedAt }) => (dispatchedAt === null ? acceptedToWait : acceptedNow),
      handOverMessages: async ({ messageIds }) => {
        for (const id of messageIds) if (id !== 'pause') this.steps.push(`hand over ${id}`)
        this.handOvers.push(messageIds.length)
        for (const _ of messageIds) this.handedOverAt.push(this.#seconds())
        const ms = this.diskMs()
        if (ms > 0) await wait(this.clock, ms)
        return handOvers({ handedOver: messageIds })
      },
      deferMessages: async ({ messages }) => {
        for (const { messageId } of messages) if (messageId !== 'pause') this.steps.push(`defer ${messageId}`)
        return []
      },
      recordEvent: async ({ messageId: id, event, detail }) => {
        if (id !== 'pause') this.settled.push({ id, event: event.kind, detail })
        return { id } as MessageState
      },
      keepUpdates: async ({ updates }) => updates.length,
    }
  }

  #seconds(): number {
    return (this.clock.now() - start) / 1000
  }
}

/** The largest number of these times (in seconds, in order) that lie within any one second. */
export function maxPerSecond(times: readonly number[]): number {
  let first = 0
  let max = 0
  for (const [last, at] of times.entries()) {
    // Milliseconds, so that fractions of a second compare exactly.
    while (Math.round(at * 1000) - Math.round((times[first] ?? at) * 1000) >= 1000) first += 1
    max = Math.max(max, last - first + 1)
  }
  return max
}
