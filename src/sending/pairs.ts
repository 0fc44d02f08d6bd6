import type { SteadyMs } from '../base/clock.ts'
import { ShortLivedMap } from '../base/shortLivedMap.ts'
import { Backoff, backoffRules } from './backoff.ts'
import type { OutboxMessage, Pair } from './outboxMessage.ts'
import { PairPace } from './pacing.ts'

/**
 * The recipients of one line: keeps the order and the pace of each. Without pair pacing every message is a pair of its
 * own, so that nothing waits for another's answer.
 */
export class Pairs {
  readonly #random: () => number
  readonly #pairs = new ShortLivedMap<string | OutboxMessage, Pair>()
  /** Pairs whose next message may leave. */
  readonly #ready: Pair[] = []
  /** Pairs to look at later, by time: their next message may leave then, or the pair can be forgotten. */
  readonly #later: { readonly at: SteadyMs; readonly pair: Pair }[] = []
  #pairMs = 0
  #waitingCount = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** When pacing is switched on, it holds for messages that enter from then on. */
  setPace(pairSeconds: number, now: SteadyMs): void {
    const pairMs = pairSeconds * 1000
    if (pairMs === this.#pairMs) return
    this.#pairMs = pairMs
    for (const pair of this.#pairs.values()) if (pair.waiting.length > 0) this.#consider(pair, now)
  }

  /** How many messages wait, for any reason. */
  get waitingCount(): number {
    return this.#waitingCount
  }

  /** How many messages may leave as far as their recipients allow, since the last look. */
  get readyCount(): number {
    return this.#ready.length
  }

  /** When to look again. */
  get nextAt(): SteadyMs {
    return this.#later[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Looks for pairs whose time has come. */
  look(now: SteadyMs): void {
    for (let first = this.#later[0]; first && first.at <= now; first = this.#later[0]) {
      this.#later.shift()
      const { at, pair } = first
      // Else it was looked at earlier.
      if (at !== pair.lookAt) continue
      pair.lookAt = Number.POSITIVE_INFINITY
      this.#consider(pair, now)
    }
  }

  enter(message: OutboxMessage): void {
    const key = this.#pairMs === 0 ? message : message.recipient
    const pair = this.#pairs.get(key) ?? this.#newPair(key)
    pair.expected += 1
    message.pair = pair
  }

  /** @returns whether an entered message may leave without waiting */
  isOpen(message: OutboxMessage, now: SteadyMs): boolean {
    const pair = pairOf(message)
    const isNext = pair.expected === 1 && pair.waiting.length === 0 && !pair.isBusy
    return isNext && this.#opensAt(pair, now) <= now
  }

  /** An entered message leaves without waiting. */
  go(message: OutboxMessage): void {
    const pair = pairOf(message)
    pair.expected -= 1
    pair.isBusy = true
  }

  /** An entered message was not accepted. */
  leave(message: OutboxMessage, now: SteadyMs): void {
    const pair = pairOf(message)
    pair.expected -= 1
    this.#consider(pair, now)
  }

  /** An entered message waits. */
  join(message: OutboxMessage, now: SteadyMs): void {
    const pair = pairOf(message)
    pair.expected -= 1
    pair.waiting.push(message)
    this.#waitingCount += 1
    this.#consider(pair, now)
  }

  /**
   * A message that was about to leave waits again, ahead of those that came after it: of several, pass the last one
   * first. If it may leave, it is the next one of the line.
   */
  rejoin(message: OutboxMessage, now: SteadyMs): void {
    const pair = pairOf(message)
    pair.waiting.unshift(message)
    this.#waitingCount += 1
    pair.isBusy = false
    this.#consider(pair, now, true)
  }

  /** A message that waits never leaves. */
  remove(message: OutboxMessage, now: SteadyMs): void {
    const pair = pairOf(message)
    pair.waiting.splice(pair.waiting.indexOf(message), 1)
    this.#waitingCount -= 1
    if (pair.isListed && pair.waiting.length === 0) {
      this.#ready.splice(this.#ready.indexOf(pair), 1)
      pair.isListed = false
    }
    this.#consider(pair, now)
  }

  /** A message is no longer under way. */
  free(message: OutboxMessage, now: SteadyMs): void {
    const pair = pairOf(message)
    pair.isBusy = false
    this.#consider(pair, now)
  }

  /** @returns the next messages that leave. */
  next(count: number): OutboxMessage[] {
    return this.#ready.splice(0, count).flatMap(pair => {
      pair.isListed = false
      pair.isBusy = true
      this.#waitingCount -= 1
      return pair.waiting.splice(0, 1)
    })
  }

  /** The message leaves now. */
  depart(message: OutboxMessage, now: SteadyMs): void {
    pairOf(message).pace.depart(now, this.#pairMs)
  }

  backoffOf(message: OutboxMessage): Backoff {
    return pairOf(message).backoff
  }

  /** @returns the earliest time at which the recipient may get another message */
  pausedUntil(message: OutboxMessage, now: SteadyMs): SteadyMs {
    const { pace, backoff } = pairOf(message)
    return Math.max(pace.opensAt(now, this.#pairMs), backoff.until)
  }

  #newPair(key: string | OutboxMessage): Pair {
    const pair: Pair = {
      key,
      pace: new PairPace(),
      backoff: new Backoff(backoffRules.pair, this.#random),
      waiting: [],
      expected: 0,
      isBusy: false,
      isListed: false,
      lookAt: Number.POSITIVE_INFINITY,
    }
    this.#pairs.set(key, pair)
    return pair
  }

  #opensAt({ pace, backoff, waiting: [next] }: Pair, now: SteadyMs): SteadyMs {
    return Math.max(pace.opensAt(now, this.#pairMs), backoff.until, next?.retry?.until ?? 0)
  }

  /**
   * Lists the pair when its next message may leave; else notes when to look again. A pair without messages or waits is
   * forgotten.
   */
  #consider(pair: Pair, now: SteadyMs, isFirst = false): void {
    if (pair.isBusy || pair.isListed) return
    const isWaiting = pair.waiting.length > 0
    if (!isWaiting && pair.expected > 0) return
    const restsAt = Math.max(pair.pace.restsAt(this.#pairMs), pair.backoff.until)
    const dueAt = isWaiting ? this.#opensAt(pair, now) : restsAt
    if (dueAt > now) {
      if (dueAt >= pair.lookAt) return
      pair.lookAt = dueAt
      // Most come last, or nearly so.
      const earlier = this.#later.findLastIndex(({ at }) => at <= dueAt)
      this.#later.splice(earlier + 1, 0, { at: dueAt, pair })
    } else if (isWaiting) {
      pair.isListed = true
      if (isFirst) this.#ready.unshift(pair)
      else this.#ready.push(pair)
    } else {
      // A look that is still scheduled finds nothing: another pair may have the key by then.
      pair.lookAt = Number.POSITIVE_INFINITY
      this.#pairs.delete(pair.key)
    }
  }
}

function pairOf({ pair }: OutboxMessage): Pair {
  if (!pair) throw new Error('a message that has entered has its pair')
  return pair
}
