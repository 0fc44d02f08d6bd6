import type { Clock, SteadyMs } from '../clock.ts'
import type { Attempt } from '../graph/answer.ts'
import { Backoff, backoffRules, messageMsMax } from './backoff.ts'
import { type Departing, Departures } from './departures.ts'
import { LinePace } from './pacing.ts'
import { type Paired, Pairs } from './pairs.ts'

/**
 * Attempts in all when the upstream says "not now" to the message itself. Throttles do not count: they are waited out.
 */
const triesMax = 3
/** Messages cleared in one write: a large backlog must not hold back the writes of other lines. */
const clearMax = 500
/** A held line asks again no sooner: each question is a write. */
const heldMsMin = 10
/** The queue looks this often for a sender thread while none is there. */
const senderLookMs = 200
/**
 * Characters of request bodies in one queue. They are in memory twice. Ten thousand usual bodies have less than 10 MB;
 * as many of the largest would fill any machine.
 */
const charsMax = 32 * 1_048_576

/** What the queue knows of a message. */
export interface Queued<Message> extends Paired<Message>, Departing {
  /** Length of its request body when it was accepted. */
  readonly chars: number
  /** When it was handed over for the first time. The 10 minutes begin then. */
  startedAt: SteadyMs | null
}

export interface LineQueueParts<Message> {
  readonly clock: Clock
  /** From 0 (included) to 1: spreads retries. */
  readonly random: () => number
  /** Shared by all lines of the channel. */
  readonly account: Backoff
  /** Whether a sender thread can take a message. */
  canSend(): boolean
  /** Marks messages on disk as handed over, then calls `clearingEnded`. */
  clear(messages: readonly Message[]): void
  /** The message leaves now. */
  handOver(message: Message): void
  /** Cleared messages that have to wait again. Each comes back through `rejoin`. */
  putBack(messages: readonly Message[]): void
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
 * The queue of one line: decides which message leaves when. It reads no disk and sends nothing.
 *
 * When a departure is free, the messages that the coming second can take are cleared on disk in one go. They leave at
 * the line's pace, which is decided there and nowhere else.
 */
export class LineQueue<Message extends Queued<Message>> {
  readonly #parts: LineQueueParts<Message>
  readonly #pace = new LinePace()
  readonly #backoff: Backoff
  readonly #pairs: Pairs<Message>
  readonly #departures: Departures<Message>
  #count = 0
  #chars = 0
  /** Until then, other instances use the pace of the line. */
  #heldUntil: SteadyMs = 0
  #isClearing = false
  #isClosed = false
  #cancelTimer = () => {}

  constructor(parts: LineQueueParts<Message>) {
    this.#parts = parts
    this.#backoff = new Backoff(backoffRules.line, parts.random)
    this.#pairs = new Pairs(parts, () => this.#pump())
    this.#departures = new Departures({
      clock: parts.clock,
      pace: this.#pace,
      slowedUntil: () => this.#slowedUntil(),
      leave: (message, now) => {
        message.startedAt ??= now
        this.#pairs.depart(message, now)
        parts.handOver(message)
      },
      putBack: messages => parts.putBack(messages),
      onLooked: () => this.#pump(),
    })
  }

  /** Applies the line's current settings. */
  configure({ perSecond, pairSeconds }: { readonly perSecond: number; readonly pairSeconds: number }): void {
    this.#pace.setRate(perSecond)
    this.#pairs.setPace(pairSeconds)
  }

  isFull(countMax: number): boolean {
    return this.#count >= countMax || this.#chars >= charsMax
  }

  /** Takes a message into the backlog, until `drop`. */
  enter(message: Message): void {
    this.#count += 1
    this.#chars += message.chars
    this.#pairs.enter(message)
  }

  drop(message: Message): void {
    this.#count -= 1
    this.#chars -= message.chars
  }

  /** @returns whether an entered message may leave at once. If so, a departure is reserved for it */
  reserve(message: Message): boolean {
    const now = this.#parts.clock.steady()
    const isNext = this.#pairs.readyCount === 0 && this.#pairs.isOpen(message)
    if (
      !isNext ||
      this.#isClosed ||
      !this.#parts.canSend() ||
      this.#closedUntil() > now ||
      this.#pace.reserve(1, now) === 0
    )
      return false
    this.#pairs.go(message)
    return true
  }

  /** An entered message was not accepted. */
  cancel(message: Message, isReserved: boolean): void {
    if (isReserved) {
      this.#pace.release()
      this.#pairs.free(message)
    } else {
      this.#pairs.leave(message)
    }
    this.#pump()
  }

  /** An entered message waits for its turn. */
  join(message: Message): void {
    this.#pairs.join(message)
    this.#pump()
  }

  /** A message that was put back waits again, before those that came after it: of several, give the last one first. */
  rejoin(message: Message): void {
    this.#pairs.rejoin(message)
    this.#pump()
  }

  /** The disk says that the message may leave; its departure is reserved. */
  leave(message: Message): void {
    this.#departures.add(message)
  }

  /**
   * The disk lets nothing more of the line leave for now.
   * @param unused how many of the reserved departures are not used
   */
  hold(waitMs: number, unused: number): void {
    this.#heldUntil = this.#parts.clock.steady() + Math.max(waitMs, heldMsMin)
    this.#release(unused)
  }

  /** A clearing write has ended. @param unused how many of its departures are not used */
  clearingEnded(unused: number): void {
    this.#isClearing = false
    this.#release(unused)
    this.#pump()
  }

  /** The message is settled; the next one to its recipient may leave. */
  finish(message: Message): void {
    this.#pairs.free(message)
    this.#pump()
  }

  /** The upstream has accepted a message: the backoffs start again. */
  ease(message: Message, attempt: Attempt): void {
    const now = this.#parts.clock.steady()
    if (attempt.kind === 'accepted') {
      this.#backoff.ease(now)
      this.#parts.account.ease(now)
    }
    if (attempt.kind !== 'notNow' || attempt.scope !== 'pair') this.#pairs.backoffOf(message).reset()
  }

  /** Pauses exactly what the "not now" concerns: the account, the line, the recipient or the message. */
  slowDown(message: Message, { scope, retryAfterMs }: Extract<Attempt, { kind: 'notNow' }>): SlowDown {
    const now = this.#parts.clock.steady()
    const backoff = this.#backoffOf(message, scope)
    const before = Math.max(now, backoff.until)
    backoff.hit(now, retryAfterMs)
    const isSlower = scope === 'line' && this.#pace.slowDown(now)
    const { until } = backoff
    // Given up now when its time ends before the next attempt.
    const isOver = until > (message.startedAt ?? now) + messageMsMax || (message.retry?.streak ?? 0) >= triesMax
    if (isOver) this.#pairs.backoffOf(message).reset()
    this.wake()
    return { until, addedMs: until - before, isOver, isSlower }
  }

  /** @returns the pause that keeps a waiting message back longest */
  waitOf(message: Message): Wait {
    const now = this.#parts.clock.steady()
    const pauses: readonly Wait[] = [
      { scope: 'app', until: this.#parts.account.until },
      { scope: 'line', until: this.#backoff.until },
      { scope: 'pair', until: this.#pairs.pausedUntil(message) },
      { scope: 'message', until: message.retry?.until ?? 0 },
    ]
    return pauses.reduce((longest, pause) => (pause.until > longest.until ? pause : longest), {
      scope: 'turn',
      until: now,
    })
  }

  /** Pauses the line for a reason of our own. */
  pause(ms: number): void {
    this.#backoff.pause(this.#parts.clock.steady() + ms)
    this.wake()
  }

  /** Looks again after a pause has changed. */
  wake(): void {
    this.#departures.look()
  }

  /** Clears nothing more. Cleared messages that may leave now still leave; the others are put back. */
  close(): void {
    this.#isClosed = true
    this.#pairs.close()
    this.#departures.close()
  }

  #backoffOf(message: Message, scope: keyof typeof backoffRules): Backoff {
    switch (scope) {
      case 'app':
        return this.#parts.account
      case 'line':
        return this.#backoff
      case 'pair':
        return this.#pairs.backoffOf(message)
      case 'message':
        message.retry ??= new Backoff(backoffRules.message, this.#parts.random)
        return message.retry
    }
  }

  #release(count: number): void {
    for (let released = 0; released < count; released += 1) this.#pace.release()
  }

  /** Nothing is cleared before. */
  #closedUntil(): SteadyMs {
    return Math.max(this.#slowedUntil(), this.#heldUntil)
  }

  #slowedUntil(): SteadyMs {
    return Math.max(this.#backoff.until, this.#parts.account.until)
  }

  /** Clears what the coming second can take; nothing while no sender thread is there: all of it would have to be put back. */
  #pump(): void {
    this.#cancelTimer()
    if (this.#isClosed || this.#isClearing || this.#pairs.readyCount === 0) return
    if (!this.#parts.canSend()) {
      this.#cancelTimer = this.#parts.clock.setTimer(senderLookMs, () => this.#pump())
      return
    }
    const now = this.#parts.clock.steady()
    const opensAt = Math.max(this.#pace.opensAt(now), this.#closedUntil())
    // All departures of the coming second are reserved. The queue looks again when the next message leaves.
    if (opensAt === Number.POSITIVE_INFINITY) return
    if (opensAt > now) {
      this.#cancelTimer = this.#parts.clock.setTimer(opensAt - now, () => this.#pump())
      return
    }
    this.#isClearing = true
    const count = this.#pace.reserve(Math.min(this.#pairs.readyCount, clearMax), now, this.#departures.leftMs)
    this.#parts.clear(this.#pairs.next(count))
  }
}
