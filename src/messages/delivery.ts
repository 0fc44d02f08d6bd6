import type { Deferral } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
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
import type { InFlightMessage, Step } from './inFlight.ts'
import { RetriedWrites } from './retriedWrites.ts'
import type { SenderVerbs } from './sender.ts'
import { endStage } from './stages.ts'

/** A line waits this long for a sender thread while none is there. */
const senderRetryMs = 200
/** Shorter pauses are normal for pacing, and are not logged. */
const loggedPauseMsMin = 10_000

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
  readonly store: Pick<Store, 'write'>
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
    const mayGo = await this.#clearOnDisk(messages)
    const accessToken = mayGo && (await this.#tokenOf(first))
    for (const message of messages) {
      if (mayGo === null) {
        this.#move(message, 'waiting')
      } else if (mayGo.has(message.id)) {
        message.accessToken = accessToken ?? message.accessToken
        this.#move(message, 'cleared')
      } else {
        void this.#settle(message, { kind: 'lost', why: 'a callback showed that an earlier attempt had gone out' })
      }
    }
    first.queue.clearingEnded(messages.length - (mayGo?.size ?? 0))
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
        if (this.#mayRetry(message, attempt)) this.putBack([message])
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

  /** Puts messages back to waiting, on disk first: they have not left, or the upstream definitely did not take them. */
  putBack(messages: readonly InFlightMessage[]): void {
    for (const message of messages) this.#move(message, 'returning')
    void this.#defer(messages.map(message => ({ message, payload: null, refusal: null }))).then(isStored => {
      for (const message of messages) this.#move(message, isStored ? 'waiting' : 'dropped')
    })
  }

  /** @returns the ids of the messages that may leave; null when a stop ended the write */
  async #clearOnDisk(messages: readonly InFlightMessage[]): Promise<ReadonlySet<string> | null> {
    const messageIds = messages.map(({ id }) => id)
    const write = () => this.#parts.store.write.clearMessages({ messageIds, at: this.#parts.clock.now() })
    try {
      return new Set(await this.#writes.untilStored(write, 'the hand-over of messages', 0))
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
    const { until, addedMs, isOver } = message.queue.slowDown(message, attempt)
    const { scope, fault } = attempt
    if (scope === 'app') this.#wakeChannel(channelId)
    if ((scope === 'app' || scope === 'line') && addedMs >= loggedPauseMsMin) {
      const end = clock.now() + until - clock.steady()
      warnOfPause(log, { channelId, lineId: scope === 'app' ? null : lineId, until: end, code: fault.code })
    }
    return !isOver
  }

  /**
   * The upstream has lost a file of the message: uploads it again and tries the message once more. The message keeps
   * its idempotency key. After a kill meanwhile, the message waits with its old files.
   */
  async #renewMedia(message: InFlightMessage, fault: UpstreamFault): Promise<void> {
    const { renewMedia } = message
    message.renewMedia = null
    this.#move(message, 'returning')
    const refusal = { ...fault }
    if (!(await this.#defer([{ message, payload: null, refusal }]))) return this.#move(message, 'dropped')
    await actOnRefusal(this.#parts, message, fault)
    const renewed = (await renewMedia?.().catch(() => null)) ?? null
    if (renewed === null) return this.#settle(message, { kind: 'refused', fault })
    message.payload = renewed.payload
    message.mediaIds = renewed.ids
    const isStored = await this.#defer([{ message, payload: renewed.payload, refusal: null }])
    this.#move(message, isStored ? 'waiting' : 'dropped')
  }

  /** @returns false when it could not be stored before the stop: the disk has the earlier state */
  async #defer(
    deferred: readonly { message: InFlightMessage; payload: string | null; refusal: Details | null }[],
  ): Promise<boolean> {
    const messages: Deferral[] = deferred.map(({ message, ...rest }) => ({ messageId: message.id, ...rest }))
    const write = () => this.#parts.store.write.deferMessages({ messages, at: this.#parts.clock.now() })
    try {
      await this.#writes.untilStored(write, 'the return of messages to their queue')
      return true
    } catch {
      return false
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
