import type { Line } from '../../db/contract/records.ts'
import type { Clock, EpochMs, SteadyMs } from '../base/clock.ts'
import { ShortLivedMap } from '../base/shortLivedMap.ts'
import { holds } from '../telemetry/promises.ts'
import { Backoff, backoffRules } from './backoff.ts'
import { LineQueue, type Wait } from './lineQueue.ts'
import { type MessageStep, mayFollow, newMessage, type OutboxMessage } from './outboxMessage.ts'

/** What a line has to send at this moment. */
export interface LineBacklog {
  readonly lineId: string
  readonly waiting: number
  readonly underWay: number
  /** When the oldest of these messages was accepted; null when there is none. */
  readonly oldestAt: EpochMs | null
}

/** Why a message has no end yet: it waits, or it was handed over and its `answer` has not come. */
export interface OpenMessage {
  readonly scope: Wait['scope'] | 'answer'
  /** When it may leave at the earliest; null when it has left. */
  readonly until: EpochMs | null
}

/** A line that has sent since the start. */
export interface OpenLine {
  readonly id: string
  readonly channelId: string
  readonly queue: LineQueue
  /** When its queue is to decide again without an event. */
  lookAt: SteadyMs
  cancelTimer: () => void
}

/**
 * Every message that has no end yet, and the queues of their lines. It reports each step to the queue, and has no other
 * effects.
 */
export class OpenMessages {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #messages = new ShortLivedMap<string, OutboxMessage>()
  readonly #lines = new Map<string, OpenLine>()
  /** One for each channel that has sent. */
  readonly #accounts = new Map<string, Backoff>()
  #isClosed = false
  #onEmpty = () => {}

  constructor({ clock, random }: { readonly clock: Clock; readonly random: () => number }) {
    this.#clock = clock
    this.#random = random
  }

  get size(): number {
    return this.#messages.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  find(messageId: string): OutboxMessage | undefined {
    return this.#messages.get(messageId)
  }

  lines(): Iterable<OpenLine> {
    return this.#lines.values()
  }

  lineOf({ lineId }: OutboxMessage): OpenLine {
    const line = this.#lines.get(lineId)
    if (!line) throw new Error('a message that has entered has its line')
    return line
  }

  isFull(lineId: string, countMax: number): boolean {
    return this.#lines.get(lineId)?.queue.isFull(countMax) ?? false
  }

  enter(draft: Parameters<typeof newMessage>[0], line: Line, known: Parameters<typeof newMessage>[2]): OutboxMessage {
    const message = newMessage(draft, line, known, this.#clock)
    this.#messages.set(message.id, message)
    this.lineFor(line).queue.enter(message)
    return message
  }

  /** @returns how many messages of a line have no end */
  backlogOf(lineId: string): number {
    return this.#lines.get(lineId)?.queue.backlog ?? 0
  }

  /** @returns the line with its current settings, opened if it is not yet */
  lineFor(line: Line): OpenLine {
    const open = this.#lines.get(line.id) ?? this.#openLine(line)
    open.queue.configure(line, this.#clock.steady())
    return open
  }

  /**
   * Moves a message to its next step. Ask its queue for decisions afterwards.
   * @returns whether the step may follow: else the message stays where it is, and nothing is to be done with it
   */
  move(message: OutboxMessage, to: MessageStep): boolean {
    const from = message.step
    if (!holds('stepFollows', mayFollow(from, to), () => ({ messageId: message.id, from, to }))) return false
    message.step = to
    const now = this.#clock.steady()
    this.lineOf(message).queue.moved(message, from, now)
    if (to === 'handingOver' || to === 'returning') message.isResumed = false
    if (to === 'settling') message.stageSince = now
    if (to === 'waiting' && this.#isClosed) this.move(message, 'dropped')
    if (to === 'settled' || to === 'dropped') this.#messages.delete(message.id)
    if (to === 'dropped') {
      message.trace?.end('dropped')
      message.end.resolve(null)
    }
    if (this.#messages.size === 0) this.#onEmpty()
    return true
  }

  /** Drops waiting messages, now and from now on. */
  close(): void {
    this.#isClosed = true
    for (const { queue } of this.#lines.values()) queue.close()
    for (const message of this.#messages.values()) if (message.step === 'waiting') this.move(message, 'dropped')
  }

  /** Resolves once there is none any more. */
  async empty(): Promise<void> {
    if (this.#messages.size > 0) await new Promise<void>(resolve => (this.#onEmpty = resolve))
  }

  /** @returns why a message has no end yet; null for one that is not here */
  openOf(messageId: string): OpenMessage | null {
    const message = this.#messages.get(messageId)
    if (!message) return null
    if (isUnderWay(message)) return { scope: 'answer', until: null }
    const now = this.#clock.steady()
    const { scope, until } = this.lineOf(message).queue.waitOf(message, now)
    return { scope, until: this.#clock.now() + until - now }
  }

  /** @returns those of each line that has sent since the start */
  backlogs(): LineBacklog[] {
    const backlogs = new Map<string, { waiting: number; underWay: number; oldestAt: EpochMs | null }>()
    for (const lineId of this.#lines.keys()) backlogs.set(lineId, { waiting: 0, underWay: 0, oldestAt: null })
    for (const message of this.#messages.values()) {
      const { lineId, createdAt } = message
      const backlog = backlogs.get(lineId)
      if (!backlog) continue
      if (isUnderWay(message)) backlog.underWay += 1
      else backlog.waiting += 1
      backlog.oldestAt = Math.min(backlog.oldestAt ?? createdAt, createdAt)
    }
    return [...backlogs].map(([lineId, backlog]) => ({ lineId, ...backlog }))
  }

  #openLine({ id, channelId }: Line): OpenLine {
    const account = this.#accounts.get(channelId) ?? new Backoff(backoffRules.app, this.#random)
    this.#accounts.set(channelId, account)
    const line: OpenLine = {
      id,
      channelId,
      queue: new LineQueue(account, this.#random),
      lookAt: Number.POSITIVE_INFINITY,
      cancelTimer: () => {},
    }
    this.#lines.set(id, line)
    // What is taken up or released while the gateway stops may be the first of its line.
    if (this.#isClosed) line.queue.close()
    return line
  }
}

const isUnderWay = ({ step }: OutboxMessage) => step === 'underWay' || step === 'settling'
