import type { Traffic } from './traffic.ts'
import type { Sample } from './wrk.ts'

/** One side of a comparison. */
export interface Side {
  readonly url: string
  /**
   * Called right before a round.
   * @returns what to call right after it; that throws when the answers were fast but not what was asked for
   */
  watch?(): Promise<(sample: Sample) => Promise<void>>
}

/** One comparison: the same traffic to both sides. */
export interface Scenario {
  readonly what: string
  readonly connections: number
  /** Rounds are numbered over the whole run. */
  traffic(round: number): Traffic
  readonly baseline: Side
  readonly gateway: Side
  readonly marks: Marks
  /** Whether every answer has a status below 400, or none has. */
  readonly answers: 'success' | 'refusal'
}

export interface Marks {
  /** The least ratio of requests per second; what is below it is a miss. */
  readonly least?: number
  /** Where the ratio is to end up. */
  readonly goal?: number
  /** What the gateway may add to the median request, in milliseconds: a line of its own. */
  readonly addedMsMax?: number
}
