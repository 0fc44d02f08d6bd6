import type { Deferral, MessageState } from '../../db/contract/records.ts'
import type { Store, StoreReads } from '../../db/contract/store.ts'
import type { Clock, SteadyMs } from '../base/clock.ts'
import { hourMs } from '../base/durations.ts'
import { type Details, messageOf } from '../base/errors.ts'
import { FailureSpell } from '../base/failureSpell.ts'
import { OutcomeUnknown, Unavailable } from '../base/unavailable.ts'
import { errorUpdate } from '../graph/accountErrors.ts'
import { alertOperator, warnOfPause } from '../graph/alert.ts'
import { type Attempt, failureReason, type SendAnswer, type UpstreamFault } from '../graph/answer.ts'
import { codeLabel, isMediaGone, isTemplateGone } from '../graph/codes.ts'
import { hasFailed, isOpen, isUncertain, type MessageStatus } from '../message/statuses.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { BrokenPromise, holds, keep } from '../telemetry/promises.ts'
import type { TemplateRefresher } from '../templates/refresh.ts'
import { eventOf } from './answerEvent.ts'
import type { Explainer } from './explanation.ts'
import type { SlowDown } from './lineQueue.ts'
import { endStage, type OutboxMessage, type Settled } from './outboxMessage.ts'
import { RetriedWrites } from './retriedWrites.ts'
import type { Senders } from './senders.ts'
import { keepSpelling, writtenOtherwise } from './spellings.ts'

/** Shorter pauses are normal for pacing, and are not logged. */
const loggedPauseMsMin = 10_000
/** A pause so long is a restriction: people are told, and not the log alone. */
const toldPauseMsMin = hourMs
/** Other instances are not notified when a pause grows by less: each answer of a burst makes it a little longer. */
const sharedPauseMsMin = 100

/** The metric labels for the result of an attempt, and for the outcome of a send. */
const results = { accepted: 'accepted', refused: 'refused', notNow: 'not_now', lost: 'lost' } as const
const outcomes = { accepted: 'accepted', refused: 'refused', lost: 'unknown' } as const

/** @returns the upstream's code for a metric; `none` when it refused nothing */
function upstreamCodeOf(attempt: Attempt): string {
  if (attempt.kind === 'accepted' || attempt.kind === 'lost') return 'none'
  const { errorClass, code } = attempt.fault
  return errorClass === 'unreachable' || errorClass === 'expired' ? errorClass : codeLabel(code)
}

/** @param validMs how long a message may take to leave, from `askedAt` on; null: no limit */
export const leaveByOf = (askedAt: SteadyMs, validMs: number | null): SteadyMs =>
  validMs === null ? Number.POSITIVE_INFINITY : askedAt + validMs

export interface DispatchParts {
  readonly store: Pick<Store, 'write' | 'shared'> & { readonly read: Pick<StoreReads, 'spelling'> }
  readonly sender: Pick<Senders, 'send' | 'isReady'>
  /** @returns the access token that the channel has now. */
  readonly accessToken: (channelId: string) => Promise<string>
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
  readonly explainer: Pick<Explainer, 'explain'>
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * The disk's answer to a hand-over: each message in one group, as in HandOvers, and with what the first group leaves.
 */
interface Answered extends Record<'handedOver' | 'held' | 'taken' | 'overtaken', readonly OutboxMessage[]> {
  readonly leaveBy: SteadyMs
  /** Null: it cannot be read, and each message leaves with the one it has. */
  readonly accessToken: string | null
  readonly waitMs: number
}

/** A message that has to wait again, with the body of its next attempt (null: the same) and why it was not taken. */
interface Returned {
  readonly message: OutboxMessage
  readonly payload: string | null
  readonly refusal: Details | null
}

/**
 * The outbox's side effects: writes to the disk, attempts, and notifications to other instances. It moves no message.
 */
export class Dispatch {
  readonly #parts: DispatchParts
  readonly #writes: RetriedWrites
  /** Attempts that did not reach the upstream. */
  readonly #unreached = new FailureSpell()
  readonly #unread = new FailureSpell()
  /** Tried again, by message. */
  readonly #naming = new Map<string, Promise<unknown>>()

  constructor(parts: DispatchParts) {
    this.#parts = parts
    this.#writes = new RetriedWrites(parts)
  }

  stop(): void {
    this.#writes.stop()
  }

  /** Hands messages of one line over on disk. @returns null when a stop ended the write */
  async handOver(messages: readonly OutboxMessage[]): Promise<Answered | null> {
    const { store, clock } = this.#parts
    const messageIds = messages.map(({ id }) => id)
    const write = async () => {
      const askedAt = clock.steady()
      // The token is read at the same time: a message that is handed over may have to leave soon.
      const asked = [store.write.handOverMessages({ messageIds, at: clock.now() }), this.#tokenOf(messages)] as const
      const [handOvers, accessToken] = await Promise.all(asked)
      return { ...handOvers, askedAt, accessToken }
    }
    // What would break a promise stays as the disk has it.
    const none = { handedOver: { messageIds: [], validMs: null }, held: { messageIds: [], waitMs: 0 }, overtaken: [] }
    const answer = await this.#writes
      .untilStored(write, 'the hand-over of messages', 0)
      .catch(error =>
        error instanceof BrokenPromise ? { ...none, taken: messageIds, askedAt: 0, accessToken: null } : null,
      )
    if (answer === null) return null
    const { handedOver, held, taken, overtaken, askedAt, accessToken } = answer
    const byId = new Map(messages.map(message => [message.id, message]))
    // Each once: what is named again is answered already.
    const named = (ids: readonly string[]) =>
      ids.flatMap(id => {
        const message = byId.get(id) ?? []
        byId.delete(id)
        return message
      })
    const count = handedOver.messageIds.length + held.messageIds.length + taken.length + overtaken.length
    const groups = {
      handedOver: named(handedOver.messageIds),
      leaveBy: leaveByOf(askedAt, handedOver.validMs),
      accessToken,
      held: named(held.messageIds),
      waitMs: held.waitMs,
      taken: named(taken),
      overtaken: named(overtaken),
    }
    // What is left out stays as the disk has it, for a later start.
    const isWhole = byId.size === 0 && count === messages.length
    holds('handOverAnswered', isWhole, () => ({ messageIds, unanswered: [...byId.keys()] }))
    return { ...groups, taken: [...groups.taken, ...byId.values()] }
  }

  /** Makes one attempt, by any sender thread. @returns null when none took it: nothing of it has left */
  async attempt(message: OutboxMessage): Promise<Attempt | null> {
    endStage(message, 'wait', this.#parts)
    const attempt = await this.#send(message)
    if (attempt === null) return null
    const code = upstreamCodeOf(attempt)
    endStage(message, 'upstream', this.#parts, { result: results[attempt.kind], code })
    this.#parts.metrics.attempts.add(`${results[attempt.kind]}/${code}`)
    this.#tellReach(message, attempt)
    return attempt
  }

  /** Logs the first of the attempts that do not reach the upstream, with the reason, and that it is reached again. */
  #tellReach({ channelId, lineId }: OutboxMessage, attempt: Attempt): void {
    const { log } = this.#parts
    if (attempt.kind !== 'notNow' || attempt.fault.errorClass !== 'unreachable') {
      if (attempt.kind === 'lost') return
      this.#unreached.worked(attempts => log.info({ attempts }, 'the upstream platform is reached again'))
      return
    }
    const why = attempt.fault.diagnosis
    this.#unreached.failed(() =>
      log.warn(
        { channelId, lineId, why },
        'the upstream platform cannot be reached: each message is tried three times',
      ),
    )
  }

  /**
   * Stores messages as waiting.
   * @returns those that are stored as waiting: not those that another instance has now, and none when they could not be
   *   stored before the stop
   */
  async defer(returned: readonly Returned[]): Promise<ReadonlySet<OutboxMessage>> {
    const messages: Deferral[] = returned.map(({ message, ...rest }) => ({ messageId: message.id, ...rest }))
    const write = () => this.#parts.store.write.deferMessages({ messages, at: this.#parts.clock.now() })
    try {
      const taken = await this.#writes.untilStored(write, 'the return of messages to their queue')
      return new Set(returned.map(({ message }) => message).filter(({ id }) => !taken.includes(id)))
    } catch {
      return new Set()
    }
  }

  /** As `Outbox.nameByUs`. */
  async nameByUs(messageId: string): Promise<MessageState | null> {
    const { store, clock } = this.#parts
    const at = clock.now()
    const event = { kind: 'namedByUs', at } as const
    const write = () => store.write.recordEvent({ messageId, event, detail: null, recordedAt: at })
    return write().catch((error: unknown) => {
      if (!(error instanceof Unavailable || error instanceof OutcomeUnknown)) throw error
      const naming = this.#writes.untilStored(write, `the id that the client of message ${messageId} has`, 0)
      const done = () => this.#naming.delete(messageId)
      this.#naming.set(messageId, naming.then(done, done))
      return null
    })
  }

  /**
   * Stores the end of a message, and with a refusal what explains it.
   * @returns the message as it is then. @throws Error only after a stop
   */
  async settle(message: OutboxMessage, given: SendAnswer): Promise<Settled> {
    const { store, clock, metrics } = this.#parts
    const at = clock.now()
    if (given.kind === 'refused') await this.actOnRefusal(message, given.fault)
    const answer = given.kind === 'refused' ? { ...given, fault: await this.#explained(message, given.fault) } : given
    const [event, detail] = eventOf(answer, at)
    const recorded = { messageId: message.id, channelId: message.channelId, event, detail }
    const naming = this.#naming.get(message.id)
    if (naming) await naming
    const write = () => store.write.recordEvent({ ...recorded, recordedAt: clock.now() })
    const number = writtenOtherwise(answer, message.recipient)
    const keeping = number === null ? null : keepSpelling(this.#parts, message, number)
    const state = await this.#writes.untilStored(write, `the end of message ${message.id} (${event.kind})`)
    if (keeping) await keeping
    if (!state) throw new Error('an accepted message is not in the database')
    // What has expired here, another instance may have handed over.
    const hasEnd = event.kind === 'expired' || !isOpen(state.status)
    keep('endStored', hasEnd && state.id === message.id, () => ({ messageId: message.id, event: event.kind }))
    this.#tellEnd(message, state.status, answer)
    endStage(message, 'settle', this.#parts)
    message.trace?.end(state.status)
    metrics.sends.add(`${outcomes[answer.kind]}/${upstreamCodeOf(answer)}`)
    return { message: { ...state, ...message.callerFields }, answer }
  }

  /**
   * Acts on a refusal. It may need the operator, or it may show that our copy of the upstream's data is out of date.
   */
  async actOnRefusal(message: OutboxMessage, fault: UpstreamFault): Promise<void> {
    const { store, templateRefresher, log } = this.#parts
    const { id: messageId, channelId, lineId, mediaIds } = message
    alertOperator(log, { messageId, channelId, lineId }, fault)
    if (isTemplateGone(fault)) templateRefresher.request(channelId)
    if (mediaIds.length === 0 || !isMediaGone(fault)) return
    await store.write.forgetMedia({ lineId, mediaIds }).catch((error: unknown) => {
      // The next message that shows them is refused too, and forgetting is tried again then.
      log.warn({ err: error, lineId }, 'expired media ids could not be deleted')
    })
  }

  /**
   * Reports a throttle to the operator and to other instances. This one has acted on it already, so nothing waits for
   * it.
   */
  tellThrottle(
    { channelId, lineId, upstreamPhoneId }: OutboxMessage,
    { scope, retryAfterMs, fault }: Extract<Attempt, { kind: 'notNow' }>,
    { until, addedMs, isSlower }: SlowDown,
  ): void {
    if (scope !== 'app' && scope !== 'line') return
    const { store, clock, log } = this.#parts
    const ms = until - clock.steady()
    const warnUntold = (error: unknown) =>
      log.warn({ err: error, channelId, lineId }, 'a throttle could not be shared with the other instances')
    if (isSlower) store.shared?.slowDown({ lineId }).catch(warnUntold)
    if (addedMs >= sharedPauseMsMin) {
      const concerned = scope === 'app' ? ({ scope: 'channel', id: channelId } as const) : { scope, id: lineId }
      store.shared?.pause({ ...concerned, ms }).catch(warnUntold)
    }
    if (addedMs >= loggedPauseMsMin && (retryAfterMs ?? 0) >= toldPauseMsMin) {
      const about = scope === 'app' ? ({ of: 'account' } as const) : ({ of: 'namedLine', upstreamPhoneId } as const)
      const at = clock.now()
      const updates = [errorUpdate(fault, { accountId: null, about, at, until: at + ms })]
      store.write.keepUpdates({ channelId, updates, recordedAt: at }).catch((error: unknown) => {
        log.warn({ err: error, channelId, lineId }, 'a restriction could not be stored as an alert')
      })
    }
    if (addedMs >= loggedPauseMsMin) {
      warnOfPause(log, {
        channelId,
        lineId: scope === 'app' ? null : lineId,
        until: clock.now() + ms,
        code: fault.code,
      })
    }
  }

  async #explained({ id: messageId, channelId, payload }: OutboxMessage, fault: UpstreamFault): Promise<UpstreamFault> {
    try {
      return await this.#parts.explainer.explain(channelId, payload, fault)
    } catch (error) {
      this.#parts.log.warn({ err: error, messageId }, 'a refusal could not be compared with the template')
      return fault
    }
  }

  /** @returns null when it cannot be read */
  async #tokenOf([first]: readonly OutboxMessage[]): Promise<string | null> {
    try {
      const token = first ? await this.#parts.accessToken(first.channelId) : null
      this.#unread.worked(failures => this.#parts.log.info({ failures }, 'access tokens can be read again'))
      return token
    } catch (error) {
      const entry = { err: error, messageId: first?.id }
      this.#unread.failed(() =>
        this.#parts.log.error(entry, 'an access token cannot be read; what is sent has the one before'),
      )
      return null
    }
  }

  async #send({ upstreamPhoneId, accessToken, payload }: OutboxMessage): Promise<Attempt | null> {
    try {
      return await this.#parts.sender.send({ upstreamPhoneId, accessToken, payload })
    } catch (error) {
      return error instanceof Unavailable ? null : { kind: 'lost', why: messageOf(error) }
    }
  }

  /**
   * One log line for each message that failed or whose answer was lost: its caller may have been answered long before.
   */
  #tellEnd({ id: messageId, channelId, lineId }: OutboxMessage, status: MessageStatus, answer: SendAnswer): void {
    const { log } = this.#parts
    const concerned = { messageId, channelId, lineId, status }
    if (answer.kind === 'refused' && hasFailed(status)) {
      const { code, subcode, traceId } = answer.fault
      log.warn({ ...concerned, code, subcode, traceId, why: failureReason(answer.fault) }, 'message failed')
    } else if (answer.kind === 'lost' && isUncertain(status)) {
      log.warn({ ...concerned, why: answer.why }, 'message may have been sent: the answer was lost')
    }
  }
}
