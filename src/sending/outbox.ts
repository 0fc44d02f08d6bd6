import type { Acceptance, Line, MessageDraft, MessageState, Resumable } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { SteadyMs } from '../base/clock.ts'
import { expired as expiredFault, type SendAnswer, type UpstreamFault } from '../graph/answer.ts'
import { isMediaGone } from '../graph/codes.ts'
import { beganAtOf } from '../message/state.ts'
import { mayLeave } from '../message/statuses.ts'
import { holds } from '../telemetry/promises.ts'
import type { SendTrace } from '../telemetry/tracing.ts'
import { Dispatch, type DispatchParts, leaveByOf } from './dispatch.ts'
import { type LineBacklog, type OpenLine, type OpenMessage, OpenMessages } from './openMessages.ts'
import { endStage, type OutboxMessage, type Settled, type ShownMedia } from './outboxMessage.ts'

/** A line waits this long for a sender thread while none is there. */
const senderRetryMs = 200
/**
 * The settings of a line are read this often while messages wait on it: the operator may change them in another
 * process, and there may be no further send that would read them.
 */
const settingsLookMs = 1_000

export interface OutboxParts extends DispatchParts {
  readonly store: DispatchParts['store'] & { readonly read: Pick<StoreReads, 'line' | 'spelling'> }
  /** From 0 (included) to 1: spreads retries. */
  readonly random: () => number
  /** Messages without an end on one line: a line that cannot send must not block the others. */
  readonly queueMax: number
}

export type OutboxAcceptance =
  | { readonly outcome: 'accepted'; readonly end: Promise<Settled | null> }
  | Exclude<Acceptance, { outcome: 'accepted' }>

/**
 * Stores, hands over, sends and settles messages: carries out the decisions of their line queues, and reports the
 * results to them.
 */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #open: OpenMessages
  readonly #dispatch: Dispatch
  #isLookDue = false
  #cancelLook = () => {}

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#open = new OpenMessages(parts)
    this.#dispatch = new Dispatch(parts)
  }

  get size(): number {
    return this.#open.size
  }

  /** Whether waiting messages are left to a later start. */
  get isStopping(): boolean {
    return this.#open.isClosed
  }

  /** Whether no further message may be accepted for that line: its queue is full, or the gateway stops. */
  isFull(lineId: string): boolean {
    return this.#open.isClosed || this.#open.isFull(lineId, this.#parts.queueMax)
  }

  /** @returns the end of a message that is here, null as in `accept`; undefined for any other message */
  find(messageId: string): Promise<Settled | null> | undefined {
    return this.#open.find(messageId)?.end.promise
  }

  /**
   * @returns why a message has no end yet; null for one that is not here: it has its end, or another instance has it
   */
  openOf(messageId: string): OpenMessage | null {
    return this.#open.openOf(messageId)
  }

  /**
   * Stores that the client of a message is answered with an id of ours: the store decides whether it names the message.
   * @returns the message; null when nothing can be stored now: it is tried again until a stop, and an end that comes
   *   from here waits for it
   */
  nameByUs(messageId: string): Promise<MessageState | null> {
    return this.#dispatch.nameByUs(messageId)
  }

  /** @returns how many messages of a line have no end yet, in this process */
  backlogOf(lineId: string): number {
    return this.#open.backlogOf(lineId)
  }

  /** @returns what waits and what is under way on each line that has sent since the start */
  backlogs(): LineBacklog[] {
    return this.#open.backlogs()
  }

  /**
   * Stores the message and sends it. Its end resolves once the outcome is on disk, however long that takes. It is null
   * when the message stays on disk for a later start, or another instance has it. `find` has the message before it is
   * on disk, so that a replay waits for it.
   * @param accessToken the channel's; a message that waits gets the token of the time of its departure
   */
  async accept(
    draft: Omit<MessageDraft, 'dispatchedAt'>,
    line: Line,
    accessToken: string,
    media: ShownMedia | null,
    trace: SendTrace | null = null,
  ): Promise<OutboxAcceptance> {
    const { store, clock, sender } = this.#parts
    const message = this.#open.enter(draft, line, { accessToken, media, trace })
    const open = this.#open.lineOf(message)
    const askedAt = clock.steady()
    message.hasDeparture = sender.isReady && open.queue.reserve(message, askedAt)
    let acceptance: Acceptance | null = null
    try {
      const dispatchedAt = message.hasDeparture ? clock.now() : null
      acceptance = await store.write.acceptMessage({ ...draft, dispatchedAt })
    } finally {
      if (acceptance?.outcome !== 'accepted') {
        trace?.end(acceptance?.outcome ?? 'dropped')
        this.#open.move(message, 'dropped')
        this.#advance(open)
      }
    }
    if (acceptance.outcome !== 'accepted') return acceptance
    endStage(message, 'accept', this.#parts)
    const { handOver } = acceptance
    if (handOver?.state === 'handedOver') {
      message.leaveBy = leaveByOf(askedAt, handOver.validMs)
      this.#open.move(message, 'handedOver')
    } else {
      if (handOver) open.queue.hold(handOver.waitMs, 1, clock.steady())
      this.#open.move(message, 'waiting')
    }
    this.#advance(open)
    return { outcome: 'accepted', end: message.end.promise }
  }

  /**
   * Queues a message that an earlier process accepted and did not hand over. One that is here already stays as it is.
   */
  resume(resumable: Resumable, line: Line, accessToken: string): void {
    const known = this.#open.find(resumable.message.id)
    if (known) {
      known.isResumed = true
      return
    }
    this.followEnded(line, Number.POSITIVE_INFINITY)
    this.release(resumable, line, accessToken)
  }

  /** Queues a message whose time has come, and that is stored as waiting. */
  release({ message, payload }: Resumable, line: Line, accessToken: string): void {
    const about = () => ({ messageId: message.id, lineId: line.id })
    const isWaiting = mayLeave(message.status) && message.dispatchedAt === null
    if (!holds('waitsWhenTaken', isWaiting, about)) return
    if (!holds('lineOfWorkspace', message.lineId === line.id && message.workspaceId === line.workspaceId, about)) return
    const released = { ...message, createdAt: beganAtOf(message), payload }
    const queued = this.#open.enter(released, line, { accessToken, media: null, trace: null })
    this.#open.move(queued, 'waiting')
    this.#advance(this.#open.lineOf(queued))
  }

  /** @param count messages of the line that a process that has ended may have sent a moment ago */
  followEnded(line: Line, count: number): void {
    this.#open.lineFor(line).queue.followEnded(this.#parts.clock.steady(), count)
  }

  /** Accepts nothing more. Messages that wait stay on disk for the next start, and their callers are answered. */
  stop(): void {
    this.#dispatch.stop()
    this.#cancelLook()
    this.#open.close()
    for (const line of this.#open.lines()) this.#advance(line)
  }

  /** After a stop: resolves once the outcome of everything that was begun is on disk. */
  finished(): Promise<void> {
    return this.#open.empty()
  }

  /** Called after an event on a line, and when its queue asked for it: carries out what the queue decides. */
  #advance(line: OpenLine): void {
    const { clock, sender } = this.#parts
    const now = clock.steady()
    const { leaving, missed, expired, next, lookAt } = line.queue.decide(now, sender.isReady)
    if (line.queue.isWaiting) this.#lookLater()
    if (lookAt !== line.lookAt) {
      line.cancelTimer()
      line.lookAt = lookAt
      if (lookAt < Number.POSITIVE_INFINITY) {
        line.cancelTimer = clock.setTimer(lookAt - now, () => {
          line.lookAt = Number.POSITIVE_INFINITY
          this.#advance(line)
        })
      }
    }
    for (const message of leaving) void this.#attempt(line, message, now)
    if (missed.length > 0) void this.#putBack(line, missed)
    for (const message of expired) void this.#settle(line, message, { kind: 'refused', fault: expiredFault })
    if (next.length > 0) void this.#handOver(line, next)
  }

  /** Marks messages as handed over, on disk; they leave at their departures. */
  async #handOver(line: OpenLine, messages: readonly OutboxMessage[]): Promise<void> {
    const { queue } = line
    for (const message of messages) this.#open.move(message, 'handingOver')
    const answer = await this.#dispatch.handOver(messages)
    if (answer === null) {
      this.#waitAgain(messages, new Set(messages))
    } else {
      const { handedOver, held, waitMs, taken, overtaken, leaveBy, accessToken } = answer
      if (held.length > 0) queue.hold(waitMs, 0, this.#parts.clock.steady())
      this.#waitAgain([...held, ...taken], new Set(held))
      const why = 'a callback showed that an earlier attempt had gone out'
      for (const message of overtaken) void this.#settle(line, message, { kind: 'lost', why })
      for (const message of handedOver) {
        message.accessToken = accessToken ?? message.accessToken
        message.leaveBy = leaveBy
        this.#open.move(message, 'handedOver')
      }
    }
    queue.handOverEnded(messages.length - (answer?.handedOver.length ?? 0))
    this.#advance(line)
  }

  /** Makes one attempt and acts on its answer. @param decidedAt when its queue has let it leave */
  async #attempt(line: OpenLine, message: OutboxMessage, decidedAt: SteadyMs): Promise<void> {
    const { queue, channelId } = line
    const { clock } = this.#parts
    if (!holds('leavesInTime', decidedAt <= message.leaveBy, () => ({ messageId: message.id })))
      return this.#putBack(line, [message])
    if (!this.#open.move(message, 'underWay')) return
    const attempt = await this.#dispatch.attempt(message)
    if (attempt === null) {
      queue.pause(clock.steady() + senderRetryMs)
      this.#advance(line)
      return this.#putBack(line, [message])
    }
    queue.ease(message, attempt, clock.steady())
    switch (attempt.kind) {
      case 'notNow': {
        const slowDown = queue.slowDown(message, attempt, clock.steady())
        this.#dispatch.tellThrottle(message, attempt, slowDown)
        // All lines of a channel share its account.
        for (const other of this.#open.lines())
          if (other === line || (attempt.scope === 'app' && other.channelId === channelId)) this.#advance(other)
        if (slowDown.isOver) return this.#settle(line, message, { kind: 'refused', fault: attempt.fault })
        return this.#putBack(line, [message], attempt.fault)
      }
      case 'refused':
        if (isMediaGone(attempt.fault) && message.renewMedia) return this.#renewMedia(line, message, attempt.fault)
        return this.#settle(line, message, attempt)
      case 'accepted':
      case 'lost':
        return this.#settle(line, message, attempt)
    }
  }

  /**
   * Puts messages back to waiting, on disk first: they have not left, or the upstream definitely did not take them.
   * @param fault why the upstream did not take them, for their timelines; null when they have not left
   */
  async #putBack(
    line: OpenLine,
    messages: readonly OutboxMessage[],
    fault: UpstreamFault | null = null,
  ): Promise<void> {
    const returning = messages.filter(message => this.#open.move(message, 'returning'))
    const refusal = fault && { ...fault }
    const waiting = await this.#dispatch.defer(returning.map(message => ({ message, payload: null, refusal })))
    this.#waitAgain(returning, waiting)
    this.#advance(line)
  }

  /**
   * The upstream has lost a file of the message: uploads it again and tries the message once more, with the old file
   * when there is no new one. The upload may take so long that another instance has the message by then, so only an
   * attempt that was handed over on disk may settle it. The message keeps its idempotency key. After a kill meanwhile,
   * it waits with its old files.
   */
  async #renewMedia(line: OpenLine, message: OutboxMessage, fault: UpstreamFault): Promise<void> {
    const { renewMedia } = message
    message.renewMedia = null
    this.#open.move(message, 'returning')
    let waiting = await this.#dispatch.defer([{ message, payload: null, refusal: { ...fault } }])
    if (waiting.has(message)) {
      await this.#dispatch.actOnRefusal(message, fault)
      const renewed = (await renewMedia?.().catch(() => null)) ?? null
      if (renewed !== null) {
        waiting = await this.#dispatch.defer([{ message, payload: renewed.payload, refusal: null }])
        if (waiting.has(message)) {
          message.payload = renewed.payload
          message.mediaIds = renewed.ids
        }
      }
    }
    this.#waitAgain([message], waiting)
    this.#advance(line)
  }

  /** @param waiting on disk. Another instance has the others, unless it has given them back since the disk was asked */
  #waitAgain(messages: readonly OutboxMessage[], waiting: ReadonlySet<OutboxMessage>): void {
    for (const message of messages.toReversed())
      this.#open.move(message, waiting.has(message) || message.isResumed ? 'waiting' : 'dropped')
  }

  /** Stores the end of a message, then answers the callers that wait for it. */
  async #settle(line: OpenLine, message: OutboxMessage, answer: SendAnswer): Promise<void> {
    if (!this.#open.move(message, 'settling')) return
    this.#advance(line)
    try {
      message.end.resolve(await this.#dispatch.settle(message, answer))
      this.#open.move(message, 'settled')
    } catch (error) {
      message.end.reject(error)
      this.#open.move(message, 'dropped')
    }
  }

  /** Reads the settings of lines with waiting messages, again and again while there are any. */
  #lookLater(): void {
    if (this.#isLookDue || this.#open.isClosed) return
    this.#isLookDue = true
    this.#cancelLook = this.#parts.clock.setTimer(settingsLookMs, () => {
      this.#isLookDue = false
      for (const line of this.#open.lines()) if (line.queue.isWaiting) void this.#renewSettings(line)
    })
  }

  async #renewSettings(line: OpenLine): Promise<void> {
    // Without an answer, the settings stay as they are until the next look.
    const settings = await this.#parts.store.read.line(line.id).catch(() => null)
    if (settings) line.queue.configure(settings, this.#parts.clock.steady())
    this.#advance(line)
  }
}
