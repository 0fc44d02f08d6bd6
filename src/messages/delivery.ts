import type { Clearing, Deferral } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock, SteadyMs } from '../clock.ts'
import { type Details, messageOf } from '../errors.ts'
import { warnOfPause } from '../graph/alert.ts'
import { type Attempt, failureReason, type SendAnswer, type UpstreamFault } from '../graph/answer.ts'
import { codeLabel, isMediaGone } from '../graph/codes.ts'
import type { Logger } from '../log.ts'
import type { MessageStatus } from '../message/state.ts'
import type { Metrics } from '../metrics.ts'
import { WorkerUnavailable } from '../queue/mailbox.ts'
import { actOnRefusal, type RefusalParts } from './afterRefusal.ts'
import { eventOf } from './answerEvent.ts'
import { leaveByOf } from './departures.ts'
import type { InFlightMessage, Step } from './inFlight.ts'
import type { SlowDown } from './lineQueue.ts'
import { RetriedWrites } from './retriedWrites.ts'
import type { SenderVerbs } from './sender.ts'
import { endStage } from './stages.ts'

/** A line waits this long for a sender thread while none is there. */
const senderRetryMs = 200
/** Shorter pauses are normal for pacing, and are not logged. */
const loggedPauseMsMin = 10_000
/** A pause that becomes longer by less is not told to other instances: each answer of a burst makes it a little longer. */
const sharedPauseMsMin = 100

/** The words of the metrics for what came of an attempt, and of a send. */
const results = { accepted: 'accepted', refused: 'refused', notNow: 'not_now', lost: 'lost' } as const
const outcomes = { accepted: 'accepted', refused: 'refused', lost: 'unknown' } as const

/** @returns the upstream's code for a metric; `none` when it refused nothing */
function upstreamCodeOf(attempt: Attempt): string {
  if (attempt.kind === 'accepted' || attempt.kind === 'lost') return 'none'
  const { errorClass, code } = attempt.fault
  return errorClass === 'unreachable' ? 'unreachable' : codeLabel(code)
}

export interface DeliveryParts extends RefusalParts {
  readonly store: Pick<Store, 'write' | 'shared'>
  readonly sender: Pick<SenderVerbs, 'send'> & { readonly isReady: boolean }
  /** @returns the access token that the channel has now. */
  readonly accessToken: (channelId: string) => Promise<string>
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/** The work of the steps of a message's life: the writes and the attempts. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #move: (message: InFlightMessage, to: Step) => void
  readonly #wakeChannel: (channelId: string) => void
  readonly #writes: RetriedWrites

  constructor(
    parts: DeliveryParts,
    moves: { move(message: InFlightMessage, to: Step): void; wakeChannel(channelId: string): void },
  ) {
    this.#parts = parts
    this.#move = moves.move
    this.#wakeChannel = moves.wakeChannel
    this.#writes = new RetriedWrites(parts)
  }

  stop(): void {
    this.#writes.stop()
  }

  /** Marks messages of one line on disk as handed over, and gives them the current token. */
  async clear(messages: readonly InFlightMessage[]): Promise<void> {
    const [first] = messages
    if (!first) return
    for (const message of messages) this.#move(message, 'clearing')
    const answer = await this.#clearOnDisk(messages, first)
    if (answer === null) {
      for (const message of messages) this.#move(message, 'waiting')
      return first.queue.clearingEnded(messages.length)
    }
    const { cleared, held, taken, overtaken } = answer.clearing
    const byId = new Map(messages.map(message => [message.id, message]))
    const named = (ids: readonly string[]) => ids.flatMap(id => byId.get(id) ?? [])
    if (held.messageIds.length > 0) first.queue.hold(held.waitMs, 0)
    for (const message of named(held.messageIds).reverse()) this.#move(message, 'waiting')
    for (const message of named(taken)) this.#leave(message)
    for (const message of named(overtaken))
      void this.#settle(message, { kind: 'lost', why: 'a callback showed that an earlier attempt had gone out' })
    for (const message of named(cleared.messageIds)) {
      message.accessToken = answer.accessToken
      message.leaveBy = leaveByOf(answer.askedAt, cleared.validMs)
      this.#move(message, 'cleared')
    }
    first.queue.clearingEnded(messages.length - cleared.messageIds.length)
  }

  /** Makes one attempt and acts on its answer. */
  async attempt(message: InFlightMessage): Promise<void> {
    const { queue } = message
    const attempt = await this.#send(message)
    if (attempt === null) {
      queue.pause(senderRetryMs)
      this.putBack([message])
      return
    }
    const code = upstreamCodeOf(attempt)
    endStage(message, 'upstream', this.#parts, { result: results[attempt.kind], code })
    this.#parts.metrics.attempts.add(`${results[attempt.kind]}/${code}`)
    queue.ease(message, attempt)
    switch (attempt.kind) {
      case 'notNow':
        if (this.#mayRetry(message, attempt)) this.putBack([message], attempt.fault)
        else await this.#settle(message, { kind: 'refused', fault: attempt.fault })
        break
      case 'refused':
        if (isMediaGone(attempt.fault) && message.renewMedia) await this.#renewMedia(message, attempt.fault)
        else await this.#settle(message, attempt)
        break
      case 'accepted':
      case 'lost':
        await this.#settle(message, attempt)
        break
    }
  }

  /**
   * Puts messages back to waiting, on disk first: they have not left, or the upstream definitely did not take them.
   * @param fault why the upstream did not take them, for their timelines; null when they have not left
   */
  putBack(messages: readonly InFlightMessage[], fault: UpstreamFault | null = null): void {
    for (const message of messages) this.#move(message, 'returning')
    const refusal = fault && { ...fault }
    void this.#defer(messages.map(message => ({ message, payload: null, refusal }))).then(waiting => {
      for (const message of messages.toReversed()) {
        if (waiting.has(message)) this.#move(message, 'waiting')
        else this.#leave(message)
      }
    })
  }

  /** Another instance has the message, unless it has given it back since the disk was asked. */
  #leave(message: InFlightMessage): void {
    this.#move(message, message.isResumed ? 'waiting' : 'dropped')
  }

  /** @returns what the disk says, when it was asked, and the channel's token of then; null when a stop ended the write */
  async #clearOnDisk(
    messages: readonly InFlightMessage[],
    first: InFlightMessage,
  ): Promise<{ clearing: Clearing; askedAt: SteadyMs; accessToken: string } | null> {
    const { store, clock } = this.#parts
    const messageIds = messages.map(({ id }) => id)
    const write = async () => {
      const askedAt = clock.steady()
      // The token at the same time: a cleared message may have to leave soon.
      const asked = [store.write.clearMessages({ messageIds, at: clock.now() }), this.#tokenOf(first)] as const
      const [clearing, accessToken] = await Promise.all(asked)
      return { clearing, askedAt, accessToken }
    }
    try {
      return await this.#writes.untilStored(write, 'the hand-over of messages', 0)
    } catch {
      return null
    }
  }

  async #tokenOf({ id: messageId, channelId, accessToken }: InFlightMessage): Promise<string> {
    try {
      return await this.#parts.accessToken(channelId)
    } catch (error) {
      const { log } = this.#parts
      log.error({ err: error, messageId }, 'the access token cannot be read; sending with the one from before')
      return accessToken
    }
  }

  /** @returns null when no thread took it: nothing of it has left. */
  async #send({ upstreamPhoneId, accessToken, payload }: InFlightMessage): Promise<Attempt | null> {
    try {
      return await this.#parts.sender.send({ upstreamPhoneId, accessToken, payload })
    } catch (error) {
      return error instanceof WorkerUnavailable ? null : { kind: 'lost', why: messageOf(error) }
    }
  }

  #mayRetry(message: InFlightMessage, attempt: Extract<Attempt, { kind: 'notNow' }>): boolean {
    const { clock, log } = this.#parts
    const { channelId, lineId } = message
    const slowDown = message.queue.slowDown(message, attempt)
    const { until, addedMs, isOver } = slowDown
    const { scope, fault } = attempt
    if (scope === 'app' || scope === 'line') this.#shareThrottle(message, scope, slowDown)
    if (scope === 'app') this.#wakeChannel(channelId)
    if ((scope === 'app' || scope === 'line') && addedMs >= loggedPauseMsMin) {
      const end = clock.now() + until - clock.steady()
      warnOfPause(log, { channelId, lineId: scope === 'app' ? null : lineId, until: end, code: fault.code })
    }
    return !isOver
  }

  /** Tells other instances of a throttle. This one has acted on it already, so nothing waits for that. */
  #shareThrottle(
    { channelId, lineId }: InFlightMessage,
    scope: 'app' | 'line',
    { until, addedMs, isSlower }: SlowDown,
  ): void {
    const { store, clock, log } = this.#parts
    const { shared } = store
    if (!shared) return
    const warnUntold = (error: unknown) =>
      log.warn({ err: error, channelId, lineId }, 'other instances could not be told of a throttle')
    if (isSlower) shared.slowDown({ lineId }).catch(warnUntold)
    if (addedMs < sharedPauseMsMin) return
    const concerned =
      scope === 'app' ? ({ scope: 'channel', id: channelId } as const) : ({ scope, id: lineId } as const)
    shared.pause({ ...concerned, ms: until - clock.steady() }).catch(warnUntold)
  }

  /**
   * The upstream has lost a file of the message: uploads it again and tries the message once more, with the old file when
   * there is no new one. The upload may take so long that another instance has the message by then, so nothing but an
   * attempt that the disk has cleared may be its end. The message keeps its idempotency key. After a kill meanwhile, it
   * waits with its old files.
   */
  async #renewMedia(message: InFlightMessage, fault: UpstreamFault): Promise<void> {
    const { renewMedia } = message
    message.renewMedia = null
    this.#move(message, 'returning')
    const waiting = await this.#defer([{ message, payload: null, refusal: { ...fault } }])
    if (!waiting.has(message)) return this.#leave(message)
    await actOnRefusal(this.#parts, message, fault)
    const renewed = (await renewMedia?.().catch(() => null)) ?? null
    if (renewed !== null) {
      const stored = await this.#defer([{ message, payload: renewed.payload, refusal: null }])
      if (!stored.has(message)) return this.#leave(message)
      message.payload = renewed.payload
      message.mediaIds = renewed.ids
    }
    this.#move(message, 'waiting')
  }

  /**
   * @returns those that the disk has as waiting: none that another instance has now, and none at all when it could not be
   *   stored before the stop
   */
  async #defer(
    deferred: readonly { message: InFlightMessage; payload: string | null; refusal: Details | null }[],
  ): Promise<ReadonlySet<InFlightMessage>> {
    const messages: Deferral[] = deferred.map(({ message, ...rest }) => ({ messageId: message.id, ...rest }))
    const write = () => this.#parts.store.write.deferMessages({ messages, at: this.#parts.clock.now() })
    try {
      const taken = await this.#writes.untilStored(write, 'the return of messages to their queue')
      return new Set(deferred.map(({ message }) => message).filter(({ id }) => !taken.includes(id)))
    } catch {
      return new Set()
    }
  }

  /**
   * One log line for each message that failed or whose answer was lost: its caller may have been answered long before.
   */
  #tellEnd({ id: messageId, channelId, lineId }: InFlightMessage, status: MessageStatus, answer: SendAnswer): void {
    const { log } = this.#parts
    const concerned = { messageId, channelId, lineId, status }
    if (answer.kind === 'refused' && status === 'FAILED') {
      const { code, subcode, traceId } = answer.fault
      log.warn({ ...concerned, code, subcode, traceId, why: failureReason(answer.fault) }, 'message failed')
    } else if (answer.kind === 'lost' && status === 'UNKNOWN') {
      log.warn({ ...concerned, why: answer.why }, 'message may have been sent: the answer was lost')
    }
  }

  async #settle(message: InFlightMessage, answer: SendAnswer): Promise<void> {
    const { store, clock } = this.#parts
    const [event, detail] = eventOf(answer, clock.now())
    this.#move(message, 'settling')
    if (answer.kind === 'refused') await actOnRefusal(this.#parts, message, answer.fault)
    const recorded = { messageId: message.id, event, detail }
    try {
      const write = () => store.write.recordEvent({ ...recorded, recordedAt: clock.now() })
      const view = await this.#writes.untilStored(write, `the end of message ${message.id} (${event.kind})`)
      if (!view) throw new Error('an accepted message is not in the database')
      this.#tellEnd(message, view.status, answer)
      endStage(message, 'settle', this.#parts)
      message.trace?.end(view.status)
      this.#parts.metrics.sends.add(`${outcomes[answer.kind]}/${upstreamCodeOf(answer)}`)
      message.end.resolve({ message: view, answer })
      this.#move(message, 'settled')
    } catch (error) {
      message.end.reject(error)
      this.#move(message, 'dropped')
    }
  }
}
