import type { SteadyMs } from '../base/clock.ts'
import { pairBurstMax } from '../base/upstreamLimits.ts'
import { fullPace, paceWindowMs, rateOf, recovered, type Slowdown, slowed } from '../message/slowdown.ts'

/**
 * The pace of one line in memory: at most `perSecond` messages in any second (docs/upstream.md#throughput), less after
 * it was throttled. The actual departure time counts, so that a slow disk causes no burst. 0 per second: no limit.
 * Instances that share a database share the pace of a line there as well (db/contract/shared.ts).
 */
export class LinePace {
  /** Times of the latest departures, a ring; its length is at most the current rate. */
  #left: SteadyMs[] = []
  #next = 0
  #reserved = 0
  #perSecond = 0
  #slowdown: Slowdown = fullPace

  /** Applies a changed setting of the line. */
  setRate(perSecond: number): void {
    if (perSecond === this.#perSecond) return
    this.#perSecond = perSecond
    this.#resize()
  }

  /**
   * Reserves departures: none unless one is free now, else up to `count` of the coming second.
   * @param withinMs departures that become free later are not reserved
   * @returns how many are reserved
   */
  reserve(count: number, now: SteadyMs, withinMs = Number.POSITIVE_INFINITY): number {
    if (this.opensAt(now) > now) return 0
    const rate = this.#rate(now)
    let reserved = rate === 0 ? count : Math.min(count, rate - this.#reserved)
    while (reserved > 1 && this.#opensAfter(this.#reserved + reserved - 1, now) > now + withinMs) reserved -= 1
    this.#reserved += reserved
    return reserved
  }

  /** @returns the earliest time at which `reserve` gives one; `now` when that is past; Infinity: not known yet */
  opensAt(now: SteadyMs): SteadyMs {
    return this.#opensAfter(this.#reserved, now)
  }

  /** @returns the earliest time at which the next reserved departure may be used; `now` when that is past */
  dueAt(now: SteadyMs): SteadyMs {
    return this.#opensAfter(0, now)
  }

  /** A message leaves now, with a reserved departure. */
  depart(now: SteadyMs): void {
    this.#reserved -= 1
    const rate = this.#rate(now)
    if (rate === 0) return
    if (this.#left.length < rate) {
      this.#left.push(now)
      return
    }
    this.#left[this.#next] = now
    this.#next = (this.#next + 1) % this.#left.length
  }

  /**
   * A process that has ended may have sent up to now: as long as nothing has left here, so many departures count as
   * used now.
   * @param count Infinity, where it is not known: a whole second of them
   */
  followEnded(now: SteadyMs, count: number): void {
    if (this.#left.length > 0) return
    this.#left = Array.from({ length: Math.min(count, this.#rate(now)) }, () => now)
  }

  /** Gives back reserved departures. */
  release(count: number): void {
    this.#reserved -= count
  }

  /** @returns when one more may leave after `ahead` others; Infinity (not known yet) when those fill a whole second */
  #opensAfter(ahead: number, now: SteadyMs): SteadyMs {
    const rate = this.#rate(now)
    const index = ahead - (rate - this.#left.length)
    if (rate === 0 || index < 0) return 0
    const earlier = index < this.#left.length ? this.#left[(this.#next + index) % this.#left.length] : undefined
    return earlier === undefined ? Number.POSITIVE_INFINITY : earlier + paceWindowMs
  }

  /**
   * The upstream said that the line is too fast. @returns whether it counts: answers to messages that left together
   * count once
   */
  slowDown(now: SteadyMs): boolean {
    const slower = slowed(this.#slowdown, this.#perSecond, now)
    if (slower === this.#slowdown) return false
    this.#slowdown = slower
    this.#resize()
    return true
  }

  #rate(now: SteadyMs): number {
    const slowdown = recovered(this.#slowdown, now)
    if (slowdown !== this.#slowdown) {
      this.#slowdown = slowdown
      this.#resize()
    }
    return this.#size()
  }

  #size(): number {
    return rateOf(this.#perSecond, this.#slowdown)
  }

  /** The latest departures stay in the ring, so that a changed rate holds from the first message on. */
  #resize() {
    const oldestFirst = [...this.#left.slice(this.#next), ...this.#left.slice(0, this.#next)]
    this.#left = oldestFirst.slice(Math.max(0, oldestFirst.length - this.#size()))
    this.#next = 0
  }
}

/**
 * The pace of one line towards one recipient (docs/upstream.md#throughput): one message per `pairMs`. A burst of n
 * within the first interval is allowed up to `pairBurstMax`, and then nothing until n intervals after its first
 * message. That is the stricter reading: whether the rest of a smaller burst stays usable is not documented.
 */
export class PairPace {
  #burstStart: SteadyMs = Number.NEGATIVE_INFINITY
  #burstCount = 0

  opensAt(now: SteadyMs, pairMs: number): SteadyMs {
    const isInBurst = now < this.#burstStart + pairMs && this.#burstCount < pairBurstMax
    return isInBurst ? now : this.restsAt(pairMs)
  }

  /** @returns the time from which the pair needs no memory any more. */
  restsAt(pairMs: number): SteadyMs {
    return this.#burstStart + this.#burstCount * pairMs
  }

  depart(now: SteadyMs, pairMs: number): void {
    if (now < this.#burstStart + pairMs && this.#burstCount < pairBurstMax) {
      this.#burstCount += 1
      return
    }
    this.#burstStart = now
    this.#burstCount = 1
  }
}
