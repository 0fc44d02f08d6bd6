import type { SteadyMs } from '../clock.ts'

/** What a new line may send: the upstream's documented throughput for a line, and for a line and one recipient. */
export const perSecondDefault = 80
export const pairSecondsDefault = 6

/** A rate is counted over any second, not over seconds of the clock: the upstream's own window is not known. */
const rateWindowMs = 1_000
/** After a throttle answer a line runs at half its pace, and doubles it again after each quiet spell of this length. */
const recoverAfterMs = 60_000

/**
 * The pace of one line: at most `perSecond` messages in any second (upstream reference 10), less after it was
 * throttled, nothing while it is paused. 0 per second: no pacing of its own, but pauses still hold.
 */
export class LinePace {
  /** Times of the latest sends, a ring; its length is the current rate. */
  #sent: SteadyMs[] = []
  #next = 0
  #perSecond = 0
  #slowdown = 1
  #slowedAt = Number.NEGATIVE_INFINITY
  #pausedUntil = 0

  /** Takes over a changed setting of the line. */
  setRate(perSecond: number): void {
    if (perSecond === this.#perSecond) return
    this.#perSecond = perSecond
    this.#resize()
  }

  /** @returns the earliest time at which one more message may leave; not after `now`: it may leave now. */
  opensAt(now: SteadyMs): SteadyMs {
    const rate = this.#rate(now)
    if (rate === 0 || this.#sent.length < rate) return this.#pausedUntil
    const oldest = this.#sent[this.#next] ?? 0
    return Math.max(this.#pausedUntil, oldest + rateWindowMs)
  }

  /** Counts a message that leaves now. */
  take(now: SteadyMs): void {
    const rate = this.#rate(now)
    if (rate === 0) return
    if (this.#sent.length < rate) {
      this.#sent.push(now)
      return
    }
    this.#sent[this.#next] = now
    this.#next = (this.#next + 1) % this.#sent.length
  }

  /** Nothing leaves before then. */
  pause(until: SteadyMs): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  /** The upstream said that the line is too fast. */
  slowDown(now: SteadyMs): void {
    // Answers to messages that left together count once.
    if (now - this.#slowedAt < rateWindowMs) return
    this.#slowedAt = now
    if (this.#slowdown < this.#perSecond) this.#slowdown *= 2
    this.#resize()
  }

  #rate(now: SteadyMs): number {
    while (this.#slowdown > 1 && now - this.#slowedAt >= recoverAfterMs) {
      this.#slowdown /= 2
      this.#slowedAt += recoverAfterMs
      this.#resize()
    }
    return this.#size()
  }

  #size(): number {
    return this.#perSecond === 0 ? 0 : Math.max(1, Math.floor(this.#perSecond / this.#slowdown))
  }

  /** The ring has the length of the rate; the latest sends stay in it, so that a changed rate holds from the first. */
  #resize() {
    const oldestFirst = [...this.#sent.slice(this.#next), ...this.#sent.slice(0, this.#next)]
    this.#sent = oldestFirst.slice(Math.max(0, oldestFirst.length - this.#size()))
    this.#next = 0
  }
}

/** The upstream lets this many messages to one recipient go within one interval, borrowing from the future. */
export const pairBurstMax = 45

/**
 * The pace of one line towards one recipient (upstream reference 10): one message per `pairMs`. A burst of n within the
 * first interval is allowed up to `pairBurstMax`, and then nothing until n intervals after its first message. That is
 * the stricter reading: whether the rest of a smaller burst stays usable is not documented.
 */
export class PairPace {
  #burstStart: SteadyMs = Number.NEGATIVE_INFINITY
  #burstCount = 0
  #pausedUntil = 0

  opensAt(now: SteadyMs, pairMs: number): SteadyMs {
    const isInBurst = now < this.#burstStart + pairMs && this.#burstCount < pairBurstMax
    const debtPaidAt = isInBurst ? 0 : this.#burstStart + this.#burstCount * pairMs
    return Math.max(this.#pausedUntil, debtPaidAt)
  }

  /** @returns from when on nothing has to be remembered of this pair. */
  restsAt(pairMs: number): SteadyMs {
    return Math.max(this.#pausedUntil, this.#burstStart + this.#burstCount * pairMs)
  }

  take(now: SteadyMs, pairMs: number): void {
    if (now < this.#burstStart + pairMs && this.#burstCount < pairBurstMax) {
      this.#burstCount += 1
      return
    }
    this.#burstStart = now
    this.#burstCount = 1
  }

  pause(until: SteadyMs): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }
}
