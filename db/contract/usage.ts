import type { EpochMs } from '../../src/base/clock.ts'
import { minuteMs } from '../../src/base/durations.ts'
import type { PriceCount } from '../../src/message/counts.ts'
import type { PriceRateReads } from './priceRates.ts'

/*
 * How many messages were accepted in a month by each key, on each line and with each template. They are counted some
 * time after their acceptance, so that a send does nothing for it, and each exactly once: the counts and the position
 * up to which messages are counted are one step.
 */

/**
 * Only messages of before are counted: then no message with a smaller number is still to come from another instance,
 * whose statement may take as long as its locks (docs/architecture.md#on-postgresql). Sends are answered long before.
 */
export const countedLateMs = 10 * minuteMs

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

/** How many messages of a template were accepted on a day. */
export interface TemplateCount {
  /** `2026-01-31`, UTC. */
  readonly day: string
  readonly name: string
  /** Empty for what was sent before languages were kept. */
  readonly language: string
  readonly count: number
}

/** Where a step has ended. What is counted meanwhile is still to be found by the next steps, once. */
export interface TemplateStep {
  readonly counted: CountedUsage
  readonly at: { readonly createdAt: EpochMs; readonly seq: number; readonly id: string }
}

export interface UsageReads extends PriceRateReads {
  /** The counts of a month (`2026-01`, UTC) by kind (src/message/counts.ts). */
  monthlyCounts(query: { workspaceId: string; month: string }): Promise<readonly { kind: string; count: number }[]>
  /**
   * The messages of templates from a day (`2026-01-31`, UTC) on. Those that are not counted yet are counted now, in
   * steps of `limit` messages from the newest on. The counts of all steps add up.
   * @returns `next`: where the next step begins; null: all are counted
   */
  templateCounts(query: {
    workspaceId: string
    since: string
    after?: TemplateStep | undefined
    limit: number
  }): Promise<{ counts: readonly TemplateCount[]; next: TemplateStep | null }>
  /** What was delivered of the messages of each day of a month (`2026-01`, UTC), by the price that was named. */
  priceCounts(query: { workspaceId: string; month: string }): Promise<readonly PriceCount[]>
  /** Null before the first were counted. */
  countedUsage(): Promise<CountedUsage | null>
}
