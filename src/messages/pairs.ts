import type { Clock, SteadyMs } from '../clock.ts'
import { ShortLivedMap } from '../shortLivedMap.ts'
import { Backoff, backoffRules } from './backoff.ts'
import { PairPace } from './pacing.ts'

/** The fields of a message that belong to its pair. */
export interface Paired<Message> {
  readonly recipient: string
  /** Set when it enters. */
  pair: Pair<Message> | null
  /** Set once the message itself was put off. */
  retry: Backoff | null
}

/** The messages of one line to one recipient: they leave one after another, in the order they came. */
interface Pair<Message> {
  /** The recipient; or the message itself, where recipients are not paced. */
  readonly key: string | Message
  readonly pace: PairPace
  readonly backoff: Backoff
  readonly waiting: Message[]
  /** Entered, but not on disk yet: they come before those that enter later. */
  expected: number
  /** One of its messages is cleared or under way. */
  isBusy: boolean
  isListed: boolean
  cancelTimer: () => void
}

/**
 * The recipients of one line: keeps the order and the pace of each. Without pair pacing every message is a pair of its
 * own, so that nothing waits for another's answer.
 */
export class Pairs<Message extends Paired<Message>> {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #onReady: () => void
  readonly #pairs = new ShortLivedMap<string | Message, Pair<Message>>()
  /** Pairs whose next message may leave. */
  readonly #ready: Pair<Message>[] = []
  #pairMs = 0
  #isClosed = false

  /** @param onReady a message that had to wait for its recipient may go */
  constructor({ clock, random }: { clock: Clock; random: () => number }, onReady: () => void) {
    this.#clock = clock
    this.#random = random
    this.#onReady = onReady
  }

  setPace(pairSeconds: number): void {
    const pairMs = pairSeconds * 1000
    if (pairMs === this.#pairMs) return
    this.#pairMs = pairMs
    for (const pair of this.#pairs.values()) if (pair.waiting.length > 0) this.#consider(pair)
  }

  /** How many messages may leave as far as their recipients allow. */
  get readyCount(): number {
    return this.#ready.length
  }

  enter(message: Message): void {
    const key = this.#pairMs === 0 ? message : message.recipient
    const pair = this.#pairs.get(key) ?? this.#newPair(key)
    pair.expected += 1
    message.pair = pair
  }

  /** @returns whether an entered message may leave without waiting */
  isOpen(message: Message): boolean {
    const pair = pairOf(message)
    const isNext = pair.expected === 1 && pair.waiting.length === 0 && !pair.isBusy
    const now = this.#clock.steady()
    return isNext && this.#opensAt(pair, now) <= now
  }

  /** An entered message leaves without waiting. */
  go(message: Message): void {
    const pair = pairOf(message)
    pair.expected -= 1
    pair.isBusy = true
  }

  /** An entered message was not accepted. */
  leave(message: Message): void {
    const pair = pairOf(message)
    pair.expected -= 1
    this.#consider(pair)
  }

  /** An entered message waits. */
  join(message: Message): void {
    const pair = pairOf(message)
    pair.expected -= 1
    pair.waiting.push(message)
    this.#consider(pair)
  }

  /**
   * A message that was to leave waits again, before those that came after it: of several, give the last one first. If it
   * may leave, it is the next one of the line.
   */
  rejoin(message: Message): void {
    const pair = pairOf(message)
    pair.waiting.unshift(message)
    pair.isBusy = false
    this.#consider(pair, true)
  }

  /** A message is in flight no more. */
  free(message: Message): void {
    const pair = pairOf(message)
    pair.isBusy = false
    this.#consider(pair)
  }

  /** @returns the next messages that leave. */
  next(count: number): Message[] {
    return this.#ready.splice(0, count).flatMap(pair => {
      pair.isListed = false
      pair.isBusy = true
      return pair.waiting.splice(0, 1)
    })
  }

  /** The message leaves now. */
  depart(message: Message, now: SteadyMs): void {
    pairOf(message).pace.depart(now, this.#pairMs)
  }

  backoffOf(message: Message): Backoff {
    return pairOf(message).backoff
  }

  /** @returns the earliest time at which the recipient may get another message */
  pausedUntil(message: Message): SteadyMs {
    const { pace, backoff } = pairOf(message)
    return Math.max(pace.opensAt(this.#clock.steady(), this.#pairMs), backoff.until)
  }

  close(): void {
    this.#isClosed = true
    for (const pair of this.#pairs.values()) pair.cancelTimer()
  }

  #newPair(key: string | Message): Pair<Message> {
    const pair: Pair<Message> = {
      key,
      pace: new PairPace(),
      backoff: new Backoff(backoffRules.pair, this.#random),
      waiting: [],
      expected: 0,
      isBusy: false,
      isListed: false,
      cancelTimer: () => {},
    }
    this.#pairs.set(key, pair)
    return pair
  }

  #opensAt({ pace, backoff, waiting: [next] }: Pair<Message>, now: SteadyMs): SteadyMs {
    return Math.max(pace.opensAt(now, this.#pairMs), backoff.until, next?.retry?.until ?? 0)
  }

  /** Lists the pair when its next message may leave; else sets a timer for that, or for deleting the pair. */
  #consider(pair: Pair<Message>, isFirst = false): void {
    if (pair.isBusy || pair.isListed || this.#isClosed) return
    const isWaiting = pair.waiting.length > 0
    if (!isWaiting && pair.expected > 0) return
    const now = this.#clock.steady()
    const restsAt = Math.max(pair.pace.restsAt(this.#pairMs), pair.backoff.until)
    const dueAt = isWaiting ? this.#opensAt(pair, now) : restsAt
    pair.cancelTimer()
    if (dueAt > now) {
      pair.cancelTimer = this.#clock.setTimer(dueAt - now, () => {
        this.#consider(pair)
        this.#onReady()
      })
    } else if (isWaiting) {
      pair.isListed = true
      if (isFirst) this.#ready.unshift(pair)
      else this.#ready.push(pair)
    } else {
      this.#pairs.delete(pair.key)
    }
  }
}

function pairOf<Message>({ pair }: Paired<Message>): Pair<Message> {
  if (!pair) throw new Error('a message that has entered has its pair')
  return pair
}
