import { type Delivery, type DeliveryAttempt, hasWorked } from '../../db/contract/webhooks.ts'
import { secondMs } from '../base/durations.ts'

/** Requests under way at once to one endpoint: never fewer, so that it is seen when it works again, */
export const placesMin = 2
/** as many before anything is known of it, */
const placesFirst = 8
/** and never more: a third of what its workspace may have. A receiver of 60 ms takes a thousand events a second so. */
export const placesMax = 64
/** A failure takes as many as four good answers give: where more than a fifth fails, they become fewer. */
const takenByFailure = 4
/** A third of the time limit of an attempt. One that answers so late is not asked for more at once. */
const slowMs = 5 * secondMs

/**
 * How many requests may be under way at once to an endpoint: as many as it bears. They grow while some more wait and
 * answers come well, and shrink with each failure. Without an answer they are the fewest at once: one that hangs must
 * not take the permits of others.
 */
export class Places {
  #count: number

  constructor(isFailing: boolean) {
    this.#count = isFailing ? placesMin : placesFirst
  }

  get count(): number {
    return this.#count
  }

  /** @param isShort whether something waited for a place */
  ended(attempt: DeliveryAttempt, isShort: boolean): void {
    if (attempt.error !== null) this.#count = placesMin
    else if (!hasWorked(attempt)) this.#count = Math.max(this.#count - takenByFailure, placesMin)
    else if (isShort && attempt.durationMs < slowMs) this.#count = Math.min(this.#count + 1, placesMax)
  }
}

/** What one gateway has delivered to one endpoint at most, whatever that would bear. */
const gatewayPerSecondMax = 4_000

/** How an endpoint answers, and what it can take at most. */
export interface Capacity {
  readonly medianMs: number
  readonly perSecond: number
}

/** @param last the last deliveries of an endpoint. @returns null: there was no attempt */
export function capacityOf(last: readonly Pick<Delivery, 'attempts'>[]): Capacity | null {
  const attempts = last.flatMap(({ attempts }) => attempts.at(-1) ?? [])
  const medianMs = attempts.map(({ durationMs }) => durationMs).sort((one, other) => one - other)[attempts.length >> 1]
  if (medianMs === undefined) return null
  const failed = attempts.filter(attempt => !hasWorked(attempt)).length
  const places = failed * (takenByFailure + 1) > attempts.length ? placesMin : placesMax
  return { medianMs, perSecond: Math.min(Math.ceil((places * secondMs) / Math.max(medianMs, 1)), gatewayPerSecondMax) }
}
