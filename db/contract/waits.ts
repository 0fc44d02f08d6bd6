import type { EpochMs } from '../../src/base/clock.ts'

/** A step along what waits, of what is there. */
export interface Walk<Place> {
  readonly at: EpochMs
  /** Where it goes on; null: at the beginning. */
  readonly after: Place | null
  /** It looks at so many. */
  readonly limit: number
}

export interface Walked<Place> {
  /** How many have waited for too long a time. */
  readonly found: number
  /** Where the next step goes on; null: this was the last one. */
  readonly next: Place | null
}

/** The place of a file among those that wait. Several may have one. */
export interface WaitingFile {
  readonly workspaceId: string
  readonly dueAt: EpochMs
}

/** The place of a delivery among those that wait for another attempt. */
export interface WaitingDelivery {
  readonly endpointId: string
  readonly nextAt: EpochMs
  readonly seq: number
}
