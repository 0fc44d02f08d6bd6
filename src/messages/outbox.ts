import type { Acceptance, Line, MessageDraft, Resumable } from '../../db/records.ts'
import type { StoreReads } from '../../db/store.ts'
import { ShortLivedMap } from '../shortLivedMap.ts'
import type { SendTrace } from '../tracing.ts'
import { Backoff, backoffRules } from './backoff.ts'
import { Delivery, type DeliveryParts } from './delivery.ts'
import { leaveByOf } from './departures.ts'
import { type InFlightMessage, newMessage, type Settled, type ShownMedia, type Step } from './inFlight.ts'
import { LineQueue } from './lineQueue.ts'
import { backlogsOf, type LineBacklog, type OpenMessage, openMessage } from './openMessages.ts'
import { endStage } from './stages.ts'

/**
 * The life of a send. Each message is in one queue, that of its line; `#move` is the one function that moves it.
 *
 *   step         the disk says                              a kill here means             next
 *   reserved     nothing                                    nothing was accepted          waiting, cleared, dropped
 *   waiting      QUEUED, never handed over: no departure    a later start takes it up,    clearing, dropped (at a stop)
 *                was free, or the database holds it, as     or another instance
 *                other instances use the pace of its line
 *   clearing     the same, or the next line                 either of both                cleared, settling, waiting
 *                                                                                         (held), dropped (taken)
 *   cleared      QUEUED, handed over: written with the      UNKNOWN                       handedOver, returning
 *                acceptance when a departure was free,
 *                else for all that the coming second can
 *                take, in one write
 *   handedOver   the same: a sender thread has it           UNKNOWN                       settling, returning
 *   returning    the same, or as in `waiting`: the          UNKNOWN, or a later start     waiting, dropped
 *                upstream definitely did not take it, or    takes it up
 *                its departure was missed
 *   settling     as in `handedOver`                         UNKNOWN                       settled, dropped
 *   settled      SENT, FAILED or UNKNOWN, with its event    -                             -
 *   dropped      what it said before: it was not accepted,  as it says there              -
 *                a stop leaves it to a later start, or
 *                another instance has taken it
 *
 * The disk always comes first: a message is marked as handed over before a byte of it leaves, as waiting before it
 * waits, and the answer is stored before the caller gets it. Where several instances share a database, it may say that a
 * message has to leave within some time, counted from before it was asked; what misses that time waits again.
 */
const nextSteps = {
  reserved: ['waiting', 'cleared', 'dropped'],
  waiting: ['clearing', 'dropped'],
  clearing: ['cleared', 'settling', 'waiting', 'dropped'],
  cleared: ['handedOver', 'returning'],
  handedOver: ['settling', 'returning'],
  returning: ['waiting', 'dropped'],
  settling: ['settled', 'dropped'],
  settled: [],
  dropped: [],
} as const satisfies Record<Step, readonly Step[]>

/**
 * The settings of a line are read this often while messages wait on it: the operator may change them in another process,
 * and perhaps nobody sends on the line any more. No send reads them once more for that.
 */
const settingsLookMs = 1_000

export interface OutboxParts extends DeliveryParts {
  readonly store: DeliveryParts['store'] & { readonly read: Pick<StoreReads, 'line'> }
  /** From 0 (included) to 1: spreads retries. */
  readonly random: () => number
  /** Messages under way on one line. Each line has its own queue: a line that cannot send must not block the others. */
  readonly queueMax: number
}

export type OutboxAcceptance =
  | { readonly outcome: 'accepted'; readonly end: Promise<Settled | null> }
  | Exclude<Acceptance, { outcome: 'accepted' }>

/** Every message that is accepted and has no end yet. */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #messages = new ShortLivedMap<string, InFlightMessage>()
  readonly #queues = new Map<string, { readonly channelId: string; readonly queue: LineQueue<InFlightMessage> }>()
  /** One for each channel that has sent. */
  readonly #accounts = new Map<string, Backoff>()
  readonly #delivery: Delivery
  #isStopping = false
  #isLookDue = false
  #cancelLook = () => {}
  #onFinished = () => {}

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#delivery = new Delivery(parts, {
      move: (message, to) => this.#move(message, to),
      wakeChannel: channelId => this.#wakeChannel(channelId),
    })
  }

  get size(): number {
    return this.#messages.size
  }

  /** Whether what waits is left to a later start. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Whether no further message may be accepted for that line: its queue is full, or the gateway stops. */
  isFull(lineId: string): boolean {
    return this.#isStopping || (this.#queues.get(lineId)?.queue.isFull(this.#parts.queueMax) ?? false)
  }

  /** @returns the end of a message that is in flight or waits, null as in `accept`; undefined for any other message */
  find(messageId: string): Promise<Settled | null> | undefined {
    return this.#messages.get(messageId)?.end.promise
  }

  /** @returns why a message has no end yet; null for one that is not here: it has its end, or another instance has it */
  openOf(messageId: string): OpenMessage | null {
    const message = this.#messages.get(messageId)
    return message ? openMessage(message, this.#parts.clock) : null
  }

  /**
   * Stores the message and sends it. Its end resolves once the outcome is on disk, however long that takes. It is null when
   * the message stays on disk for a later start, or another instance has it. `find` has the message before it is on disk,
   * so that a replay waits for it.
   * @param accessToken the channel's; a message that waits gets the token of the time of its departure
   */
  async accept(
    draft: Omit<MessageDraft, 'dispatchedAt'>,
    line: Line,
    accessToken: string,
    media: ShownMedia | null,
    trace: SendTrace | null = null,
  ): Promise<OutboxAcceptance> {
    const { store, clock } = this.#parts
    const message = this.#enter(draft, line, accessToken, media, trace)
    const { queue } = message
    const cancel = () => {
      queue.cancel(message, message.isReserved)
      this.#move(message, 'dropped')
    }
    message.isReserved = queue.reserve(message)
    const askedAt = clock.steady()
    let acceptance: Acceptance
    try {
      acceptance = await store.write.acceptMessage({ ...draft, dispatchedAt: message.isReserved ? clock.now() : null })
    } catch (error) {
      cancel()
      throw error
    }
    if (acceptance.outcome !== 'accepted') {
      cancel()
      return acceptance
    }
    endStage(message, 'accept', this.#parts)
    const { clearance } = acceptance
    if (clearance?.state === 'cleared') {
      message.leaveBy = leaveByOf(askedAt, clearance.validMs)
      this.#move(message, 'cleared')
    } else {
      if (clearance) queue.hold(clearance.waitMs, 1)
      this.#move(message, 'waiting')
    }
    return { outcome: 'accepted', end: message.end.promise }
  }

  /** Queues a message that an earlier process accepted and did not hand over. One that is here already stays as it is. */
  resume({ message, payload }: Resumable, line: Line, accessToken: string): void {
    const known = this.#messages.get(message.id)
    if (known) known.isResumed = true
    else this.#move(this.#enter({ ...message, payload }, line, accessToken, null, null), 'waiting')
  }

  /** Accepts nothing more. Messages that wait stay on disk for the next start, and their callers are answered. */
  stop(): void {
    this.#isStopping = true
    this.#delivery.stop()
    this.#cancelLook()
    for (const { queue } of this.#queues.values()) queue.close()
    for (const message of this.#messages.values()) if (message.step === 'waiting') this.#move(message, 'dropped')
  }

  /** @returns what waits and what is in flight on each line that has sent since the start */
  backlogs(): LineBacklog[] {
    return backlogsOf(this.#queues.keys(), this.#messages.values())
  }

  /** After a stop: resolves once the outcome of everything that was begun is on disk. */
  async finished(): Promise<void> {
    if (this.#messages.size > 0) await new Promise<void>(resolve => (this.#onFinished = resolve))
  }

  #enter(
    draft: Pick<MessageDraft, 'id' | 'recipient' | 'payload' | 'createdAt'>,
    line: Line,
    accessToken: string,
    media: ShownMedia | null,
    trace: SendTrace | null,
  ): InFlightMessage {
    const queue = this.#queueOf(line)
    const stageSince = this.#parts.clock.steady()
    const message = newMessage(draft, line, media, { queue, accessToken, trace, stageSince })
    this.#messages.set(draft.id, message)
    queue.enter(message)
    return message
  }

  #queueOf(line: Line): LineQueue<InFlightMessage> {
    const { id, channelId } = line
    const { clock, random } = this.#parts
    let known = this.#queues.get(id)
    if (!known) {
      const account = this.#accounts.get(channelId) ?? new Backoff(backoffRules.app, random)
      this.#accounts.set(channelId, account)
      const queue = new LineQueue<InFlightMessage>({
        clock,
        random,
        account,
        canSend: () => this.#parts.sender.isReady,
        clear: messages => void this.#delivery.clear(messages),
        handOver: message => this.#move(message, 'handedOver'),
        putBack: messages => this.#delivery.putBack(messages),
      })
      known = { channelId, queue }
      this.#queues.set(id, known)
    }
    known.queue.configure(line)
    return known.queue
  }

  #lookLater(): void {
    if (this.#isLookDue || this.#isStopping) return
    this.#isLookDue = true
    this.#cancelLook = this.#parts.clock.setTimer(settingsLookMs, () => {
      this.#isLookDue = false
      const waiting = this.#messages.values().filter(({ step }) => step === 'waiting')
      for (const [lineId, queue] of new Map(waiting.map(({ lineId, queue }) => [lineId, queue])))
        void this.#renewSettings(lineId, queue)
    })
  }

  async #renewSettings(lineId: string, queue: LineQueue<InFlightMessage>): Promise<void> {
    this.#lookLater()
    // Without an answer, the settings stay as they are until the next look.
    const line = await this.#parts.store.read.line(lineId).catch(() => null)
    if (!line) return
    queue.configure(line)
    queue.wake()
  }

  /** All lines of a channel share its account. */
  #wakeChannel(channelId: string): void {
    for (const line of this.#queues.values()) if (line.channelId === channelId) line.queue.wake()
  }

  /** Moves a message to its next step and begins the work of that step. */
  #move(message: InFlightMessage, to: Step): void {
    const from = message.step
    const isLegal = (nextSteps[from] as readonly Step[]).includes(to)
    if (!isLegal) throw new Error(`a message that is ${from} cannot become ${to}`)
    message.step = to
    switch (to) {
      case 'reserved':
      case 'clearing':
      case 'returning':
        // The caller does the write, often for many messages at once.
        message.isResumed = false
        break
      case 'waiting':
        if (from === 'reserved' && !message.isReserved) message.queue.join(message)
        else message.queue.rejoin(message)
        this.#lookLater()
        if (this.#isStopping) this.#move(message, 'dropped')
        break
      case 'cleared':
        message.queue.leave(message)
        break
      case 'handedOver':
        endStage(message, 'wait', this.#parts)
        void this.#delivery.attempt(message)
        break
      case 'settling':
        message.stageSince = this.#parts.clock.steady()
        message.queue.finish(message)
        break
      case 'settled':
      case 'dropped':
        this.#messages.delete(message.id)
        if (from === 'clearing' || from === 'returning') message.queue.finish(message)
        message.queue.drop(message)
        if (to === 'dropped') {
          message.trace?.end('dropped')
          message.end.resolve(null)
        }
        if (this.#messages.size === 0) this.#onFinished()
        break
    }
  }
}
