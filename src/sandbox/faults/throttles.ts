import type { Clock, EpochMs } from '../../base/clock.ts'
import { hourMs } from '../../base/durations.ts'
import type { Refusal } from '../checks/refusals.ts'
import { BoundedMap } from '../state/bounded.ts'
import { BOUNDS } from '../state/defaults.ts'
import { pairOf } from '../state/random.ts'
import type { SandboxSettings } from '../state/settings.ts'

/** Counts within windows of fixed length, aligned to the clock. */
interface Window {
  startMs: EpochMs
  count: number
}

/**
 * The upstream's three limits, each switched by the settings:
 * line     `perSecond` sends of one line within one second of the clock                           -> 130429
 * pair     `burst` sends to one user within `gapMs`; after n of them nothing until first + n x gap -> 131056
 * account  `perHour` calls of the account within one hour of the clock                            -> 80007 or 80008
 */
export class Throttles {
  readonly #clock: Clock
  readonly #settings: () => SandboxSettings
  readonly #lines = new Map<string, Window>()
  readonly #pairs = new BoundedMap<string, { firstMs: EpochMs; count: number }>(BOUNDS.pairs)
  #account: Window = { startMs: 0, count: 0 }

  constructor(clock: Clock, settings: () => SandboxSettings) {
    this.#clock = clock
    this.#settings = settings
  }

  /** Counts one send. @returns the refusal if a limit is passed; a refused send counts for none of them. */
  admitSend(lineId: string, waId: string): Refusal | undefined {
    const { lineRate, pairLimit, accountCalls } = this.#settings()
    if (!lineRate.enabled && !pairLimit.enabled && !accountCalls.enabled) return undefined
    const now = this.#clock.now()
    if (accountCalls.enabled && accountCalls.sends) {
      const refused = this.#admitCall(now)
      if (refused) return refused
    }
    const second = this.#second(lineId, now)
    if (lineRate.enabled && second.count >= lineRate.perSecond)
      return this.#refuse(130429, second.startMs + 1_000 - now)
    if (pairLimit.enabled) {
      const waitMs = this.#admitPair(pairOf(lineId, waId), now, pairLimit.burst, pairLimit.gapMs)
      if (waitMs > 0) return this.#refuse(131056, waitMs)
    }
    second.count += 1
    return undefined
  }

  /** Counts one management call: listings, lines, subscriptions. */
  admitCall(): Refusal | undefined {
    return this.#settings().accountCalls.enabled ? this.#admitCall(this.#clock.now()) : undefined
  }

  clear(): void {
    this.#lines.clear()
    this.#pairs.clear()
    this.#account = { startMs: 0, count: 0 }
  }

  #second(lineId: string, now: EpochMs): Window {
    const startMs = now - (now % 1_000)
    const known = this.#lines.get(lineId)
    if (known && known.startMs === startMs) return known
    const fresh = { startMs, count: 0 }
    this.#lines.set(lineId, fresh)
    return fresh
  }

  /** @returns 0 if admitted, else how long the pair must wait. */
  #admitPair(pair: string, now: EpochMs, burst: number, gapMs: number): number {
    const known = this.#pairs.get(pair)
    if (!known || now >= known.firstMs + known.count * gapMs) {
      this.#pairs.touch(pair, { firstMs: now, count: 1 })
      return 0
    }
    if (now - known.firstMs < gapMs && known.count < burst) {
      known.count += 1
      return 0
    }
    return known.firstMs + known.count * gapMs - now
  }

  #admitCall(now: EpochMs): Refusal | undefined {
    const { perHour, code } = this.#settings().accountCalls
    const startMs = now - (now % hourMs)
    if (this.#account.startMs !== startMs) this.#account = { startMs, count: 0 }
    if (this.#account.count >= perHour) return this.#refuse(code, startMs + hourMs - now)
    this.#account.count += 1
    return undefined
  }

  #refuse(code: number, waitMs: number): Refusal {
    const { status, retryAfter } = this.#settings().throttleAnswers
    return { code, status, ...(retryAfter && { headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } }) }
  }
}
