import type { RateWindow } from '../../db/records.ts'
import type { StoreWrites } from '../../db/store.ts'
import type { Clock, EpochMs } from '../clock.ts'
import type { Logger } from '../log.ts'

/** Both rate limits count over 15 minutes (docs/partner-api.md#rate-limits). Windows are aligned to the clock. */
export const rateWindowMs = 900_000

export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsInMs: number
}

/** Counts are on disk at the latest this long after the request: a restart keeps the windows true. */
const persistMs = 50
/** Callers counted one by one in a window; whoever comes later shares one count, so that memory stays bounded. */
const subjectsMax = 200_000
const overflowSubject = 'others'

/**
 * Counts requests per subject in fixed windows and never admits more than a limit. The counts live here and are written
 * through: one process decides, so no request waits for the disk.
 */
export class Limiter {
  readonly #parts: { write: StoreWrites; clock: Clock; log: Logger }
  readonly #counts = new Map<string, number>()
  readonly #unsaved = new Set<string>()
  #startsAt: EpochMs

  constructor(parts: { write: StoreWrites; clock: Clock; log: Logger }, windows: readonly RateWindow[]) {
    this.#parts = parts
    this.#startsAt = windowStart(parts.clock.now())
    for (const { subject, startsAt, count } of windows) {
      if (startsAt === this.#startsAt) this.#counts.set(subject, count)
    }
  }

  /** @param limit requests per window; a refused request does not count */
  admit(subject: string, limit: number): Admission {
    const now = this.#parts.clock.now()
    this.#roll(now)
    const counted = this.#counts.has(subject) || this.#counts.size < subjectsMax ? subject : overflowSubject
    const used = this.#counts.get(counted) ?? 0
    const resetsInMs = this.#startsAt + rateWindowMs - now
    if (used >= limit) return { admitted: false, limit, remaining: 0, resetsInMs }
    this.#counts.set(counted, used + 1)
    if (this.#unsaved.size === 0) this.#parts.clock.setTimer(persistMs, () => void this.save())
    this.#unsaved.add(counted)
    return { admitted: true, limit, remaining: limit - used - 1, resetsInMs }
  }

  /** Writes what was counted since the last time. */
  async save(): Promise<void> {
    const windows = [...this.#unsaved].map(subject => ({
      subject,
      startsAt: this.#startsAt,
      count: this.#counts.get(subject) ?? 0,
    }))
    this.#unsaved.clear()
    if (windows.length === 0) return
    try {
      await this.#parts.write.countRequests({ windows })
    } catch (error) {
      this.#parts.log.error({ err: error }, 'rate windows could not be stored')
    }
  }

  #roll(now: EpochMs) {
    const startsAt = windowStart(now)
    if (startsAt === this.#startsAt) return
    this.#startsAt = startsAt
    this.#counts.clear()
    this.#unsaved.clear()
  }
}

export const windowStart = (at: EpochMs): EpochMs => at - (at % rateWindowMs)
