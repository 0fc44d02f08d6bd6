import type { Line } from '../../db/contract/records.ts'
import type { SteadyMs } from '../base/clock.ts'
import type { Attempt } from '../graph/answer.ts'
import { Backoff, backoffRules, messageMsMax } from './backoff.ts'
import type { MessageStep, OutboxMessage } from './outboxMessage.ts'
import { LinePace } from './pacing.ts'
import { Pairs } from './pairs.ts'

/** Attempts in all when the upstream says "not now" to the message itself. Throttles do not count. */
const triesMax = 3
/** Messages handed over in one write: a large backlog must not hold back the writes of other lines. */
const handOverMax = 500
/** A message that is handed over waits again when its departure is later than this: the line was paused meanwhile. */
const departureMsMax = 1_000
/** A held line asks again no sooner: each question is a write. */
const heldMsMin = 10
/** The queue looks this often for a sender thread while none is there. */
const senderLookMs = 200
/** What waits for too long is looked for no more often. What is handed over in between leaves within a second. */
const expiryLookMs = 100
/**
 * Characters of request bodies in one queue. They are in memory twice. Ten thousand usual bodies have less than 10 MB;
 * as many of the largest would fill any machine.
 */
const charsMax = 32 * 1_048_576

/** What is to be done now for a line. */
export interface Decision {
  /** These leave, in this order. */
  readonly leaving: readonly OutboxMessage[]
  /** These were handed over and cannot leave in time: store them as waiting, then queue them again. */
  readonly missed: readonly OutboxMessage[]
  /** These have waited for longer than they are of use: they end, and never leave. */
  readonly expired: readonly OutboxMessage[]
  /** These are to be handed over on disk. No others are until `handOverEnded`. */
  readonly next: readonly OutboxMessage[]
  /** When to decide again although nothing has happened; Infinity: only after something has. */
  readonly lookAt: SteadyMs
}

/** What keeps a message back. */
export interface Wait {
  /** Whose pause it is, as the scope of a "not now"; `turn`: nothing is paused, and its turn comes. */
  readonly scope: keyof typeof backoffRules | 'turn'
  /** It leaves no sooner. */
  readonly until: SteadyMs
}

/** What follows from a "not now". */
export interface SlowDown {
  readonly until: SteadyMs
  /** How much longer the wait became. */
  readonly addedMs: number
  /** The message is not tried again. */
  readonly isOver: boolean
  /** The pace of the line became slower. */
  readonly isSlower: boolean
}

/**
 * The queue of one line. Its methods report what happens, and it decides which message leaves when; it reads no disk,
 * sends nothing and sets no timer.
 *
 * When a departure is free, the messages that the coming second can take are handed over on disk in one go. They leave
 * at the line's pace, which is decided there and nowhere else.
 */
export class LineQueue {
  readonly #random: () => number
  /** Shared by all lines of the channel. */
  readonly #account: Backoff
  readonly #pace = new LinePace()
  readonly #backoff: Backoff
  readonly #pairs: Pairs
  /** Handed over, in the order in which they leave; each has a departure reserved. */
  readonly #leaving: OutboxMessage[] = []
  /** Those that wait and must not leave later than at some time. */
  readonly #mortal = new Set<OutboxMessage>()
  #expiryLookAt: SteadyMs = Number.POSITIVE_INFINITY
  /** How long the last message could take to leave once it was handed over. A later departure would be missed. */
  #leftMs = Number.POSITIVE_INFINITY
  #count = 0
  #chars = 0
  /** Until then, other instances use the pace of the line. */
  #heldUntil: SteadyMs = 0
  #isHandingOver = false
  #isClosed = false

  /** @param random from 0 (included) to 1: spreads retries */
  constructor(account: Backoff, random: () => number) {
    this.#random = random
    this.#account = account
    this.#backoff = new Backoff(backoffRules.line, random)
    this.#pairs = new Pairs(random)
  }

  /** Applies the line's current settings. */
  configure({ perSecond, pairSeconds }: Pick<Line, 'perSecond' | 'pairSeconds'>, now: SteadyMs): void {
    this.#pace.setRate(perSecond)
    this.#pairs.setPace(pairSeconds, now)
  }

  /** A process that has ended may have sent of the line a moment ago. @param count as in LinePace */
  followEnded(now: SteadyMs, count: number): void {
    this.#pace.followEnded(now, count)
  }

  isFull(countMax: number): boolean {
    return this.#count >= countMax || this.#chars >= charsMax
  }

  /** Messages without an end. */
  get backlog(): number {
    return this.#count
  }

  get isWaiting(): boolean {
    return this.#pairs.waitingCount > 0
  }

  /** Takes a message into the backlog, until it is settled or dropped. */
  enter(message: OutboxMessage): void {
    this.#count += 1
    this.#chars += message.chars
    this.#pairs.enter(message)
  }

  /** @returns whether an entered message may leave at once. If so, a departure is reserved for it */
  reserve(message: OutboxMessage, now: SteadyMs): boolean {
    this.#pairs.look(now)
    const isNext = this.#pairs.readyCount === 0 && this.#pairs.isOpen(message, now)
    if (!isNext || this.#isClosed || this.#closedUntil() > now || this.#pace.reserve(1, now) === 0) return false
    this.#pairs.go(message)
    return true
  }

  /** An entered message has moved from one step to another. */
  moved(message: OutboxMessage, from: MessageStep, now: SteadyMs): void {
    if (from === 'waiting') this.#mortal.delete(message)
    switch (message.step) {
      case 'waiting':
        if (message.expiresAt < Number.POSITIVE_INFINITY) {
          this.#mortal.add(message)
          this.#expiryLookAt = Math.min(this.#expiryLookAt, message.expiresAt)
        }
        if (from === 'reserved' && !message.hasDeparture) this.#pairs.join(message, now)
        else this.#pairs.rejoin(message, now)
        break
      case 'handedOver':
        this.#leftMs = message.leaveBy - now
        this.#leaving.push(message)
        break
      case 'settling':
        // One that has expired has left its pair.
        if (from !== 'waiting') this.#pairs.free(message, now)
        break
      case 'settled':
      case 'dropped':
        this.#count -= 1
        this.#chars -= message.chars
        this.#leave(message, from, now)
        break
      case 'reserved':
      case 'handingOver':
      case 'underWay':
      case 'returning':
        break
    }
  }

  /**
   * The disk lets nothing more of the line leave for now.
   * @param unused how many of the reserved departures are not used
   */
  hold(waitMs: number, unused: number, now: SteadyMs): void {
    this.#heldUntil = now + Math.max(waitMs, heldMsMin)
    this.#pace.release(unused)
  }

  /** A write that hands over has ended. @param unused how many of its departures are not used */
  handOverEnded(unused: number): void {
    this.#isHandingOver = false
    this.#pace.release(unused)
  }

  /** The upstream has answered: backoffs that the answer does not concern are reset. */
  ease(message: OutboxMessage, attempt: Attempt, now: SteadyMs): void {
    if (attempt.kind === 'accepted') {
      this.#backoff.ease(now)
      this.#account.ease(now)
    }
    if (attempt.kind !== 'notNow' || attempt.scope !== 'pair') this.#pairs.backoffOf(message).reset()
  }

  /** Pauses exactly what the "not now" concerns: the account, the line, the recipient or the message. */
  slowDown(
    message: OutboxMessage,
    { scope, retryAfterMs }: Extract<Attempt, { kind: 'notNow' }>,
    now: SteadyMs,
  ): SlowDown {
    const backoff = this.#backoffOf(message, scope)
    const before = Math.max(now, backoff.until)
    backoff.hit(now, retryAfterMs)
    const isSlower = scope === 'line' && this.#pace.slowDown(now)
    const { until } = backoff
    // Given up now when its time ends before the next attempt.
    const isOver = until > (message.startedAt ?? now) + messageMsMax || (message.retry?.streak ?? 0) >= triesMax
    if (isOver) this.#pairs.backoffOf(message).reset()
    return { until, addedMs: until - before, isOver, isSlower }
  }

  /** @returns the pause that keeps a waiting message back longest */
  waitOf(message: OutboxMessage, now: SteadyMs): Wait {
    const pauses: readonly Wait[] = [
      { scope: 'app', until: this.#account.until },
      { scope: 'line', until: this.#backoff.until },
      { scope: 'pair', until: this.#pairs.pausedUntil(message, now) },
      { scope: 'message', until: message.retry?.until ?? 0 },
    ]
    return pauses.reduce((longest, pause) => (pause.until > longest.until ? pause : longest), {
      scope: 'turn',
      until: now,
    })
  }

  /** Pauses the line for a reason of our own. */
  pause(until: SteadyMs): void {
    this.#backoff.pause(until)
  }

  /** Hands over nothing more. What is handed over and may leave now still leaves; the rest is missed. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Decides what leaves, waits again and is handed over next. Ask after each call of another method, and at `lookAt`.
   * @param canSend whether a sender thread can take a message
   */
  decide(now: SteadyMs, canSend: boolean): Decision {
    const leaving: OutboxMessage[] = []
    const missed: OutboxMessage[] = []
    const departAt = this.#depart(now, leaving, missed)
    if (this.#isClosed) return { leaving, missed, expired: [], next: [], lookAt: Number.POSITIVE_INFINITY }
    this.#pairs.look(now)
    const expired = this.#expiryLookAt <= now ? this.#takeExpired(now) : []
    const handOverAt = this.#handOverAt(now, canSend)
    const next = handOverAt <= now ? this.#next(now) : []
    const nextHandOverAt = handOverAt > now ? handOverAt : Number.POSITIVE_INFINITY
    const lookAt = Math.min(departAt, nextHandOverAt, this.#pairs.nextAt, this.#expiryLookAt)
    return { leaving, missed, expired, next, lookAt }
  }

  /** The message has its end, or leaves this process: the next one to its recipient may leave. */
  #leave(message: OutboxMessage, from: MessageStep, now: SteadyMs): void {
    const isReserved = from === 'reserved'
    if (isReserved && message.hasDeparture) this.#pace.release(1)
    if (isReserved && !message.hasDeparture) this.#pairs.leave(message, now)
    // Its recipient was free already when it was settled, and the queue is closed when a waiting one is dropped.
    else if (from !== 'settling' && from !== 'waiting') this.#pairs.free(message, now)
  }

  /** Takes what has waited for too long out of the queue. */
  #takeExpired(now: SteadyMs): OutboxMessage[] {
    const expired = [...this.#mortal].filter(({ expiresAt }) => expiresAt <= now)
    for (const message of expired) {
      this.#mortal.delete(message)
      this.#pairs.remove(message, now)
    }
    let nextAt = Number.POSITIVE_INFINITY
    for (const { expiresAt } of this.#mortal) nextAt = Math.min(nextAt, expiresAt)
    this.#expiryLookAt = nextAt === Number.POSITIVE_INFINITY ? nextAt : Math.max(nextAt, now + expiryLookMs)
    return expired
  }

  /** Collects what may leave now and what missed its departure. @returns when the next one may leave */
  #depart(now: SteadyMs, leaving: OutboxMessage[], missed: OutboxMessage[]): SteadyMs {
    let departAt = Number.POSITIVE_INFINITY
    for (let message = this.#leaving[0]; message; message = this.#leaving[0]) {
      const dueAt = Math.max(this.#pace.dueAt(now), this.#slowedUntil(), now)
      if (dueAt > now + departureMsMax || (dueAt > now && this.#isClosed)) {
        missed.push(...this.#leaving.splice(0))
        break
      }
      if (dueAt > now && dueAt <= message.leaveBy) {
        departAt = dueAt
        break
      }
      this.#leaving.shift()
      if (dueAt > message.leaveBy) {
        missed.push(message)
        continue
      }
      this.#pace.depart(now)
      this.#pairs.depart(message, now)
      message.startedAt ??= now
      leaving.push(message)
    }
    this.#pace.release(missed.length)
    return departAt
  }

  /**
   * When messages may be handed over. Infinity while all departures of the coming second are reserved: the next message
   * that leaves changes that. Nothing is handed over while there is no sender thread: it would be put back.
   */
  #handOverAt(now: SteadyMs, canSend: boolean): SteadyMs {
    if (this.#isHandingOver || this.#pairs.readyCount === 0) return Number.POSITIVE_INFINITY
    return canSend ? Math.max(this.#pace.opensAt(now), this.#closedUntil()) : now + senderLookMs
  }

  #next(now: SteadyMs): OutboxMessage[] {
    this.#isHandingOver = true
    return this.#pairs.next(this.#pace.reserve(Math.min(this.#pairs.readyCount, handOverMax), now, this.#leftMs))
  }

  #backoffOf(message: OutboxMessage, scope: keyof typeof backoffRules): Backoff {
    switch (scope) {
      case 'app':
        return this.#account
      case 'line':
        return this.#backoff
      case 'pair':
        return this.#pairs.backoffOf(message)
      case 'message':
        message.retry ??= new Backoff(backoffRules.message, this.#random)
        return message.retry
    }
  }

  /** Nothing is handed over before. */
  #closedUntil(): SteadyMs {
    return Math.max(this.#slowedUntil(), this.#heldUntil)
  }

  #slowedUntil(): SteadyMs {
    return Math.max(this.#backoff.until, this.#account.until)
  }
}
