import type { EpochMs } from '../../src/base/clock.ts'

/*
 * How many messages were accepted in a month by each key, on each line and with each template. They are counted some
 * time after their acceptance, so that a send does nothing for it, and each exactly once: the counts and the position
 * up to which messages are counted are one step.
 */

/** Up to where messages are counted. */
export interface CountedUsage {
  /** The number of the last message that is counted. */
  readonly seq: number
  /** All messages that were accepted before are counted. */
  readonly until: EpochMs
}

export interface UsageWrites {
  /** Counts at most `limit` messages that were accepted before `before`. @returns how many. */
  countUsage(counting: { before: EpochMs; limit: number }): Promise<number>
}

export interface UsageReads {
  /** The counts of a month (`2026-01`, UTC) by kind (src/message/counts.ts). */
  monthlyCounts(query: { workspaceId: string; month: string }): Promise<readonly { kind: string; count: number }[]>
  /** Null before the first were counted. */
  countedUsage(): Promise<CountedUsage | null>
}
