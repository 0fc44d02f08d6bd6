import { minuteMs } from '../base/durations.ts'
import { bySteps, type JobParts } from './job.ts'

/**
 * Only messages of before are counted: then no message with a smaller number is still to come from another instance,
 * whose statement may take as long as its locks (docs/architecture.md#on-postgresql). Sends are answered long before.
 */
const lateMsMax = 10 * minuteMs

/** How often it is counted: at these minutes of each hour. */
export const countedEveryMs = 10 * minuteMs

/** They are read in their order and added up, and a step writes few rows: one takes some two milliseconds. */
const stepMessages = 1_000

/** Counts messages by key, line and template. The first time, all that are stored. */
export async function countUsage({ store, clock }: JobParts): Promise<void> {
  const before = clock.now() - lateMsMax
  await bySteps(clock, limit => store.write.countUsage({ before, limit }), stepMessages)
}
