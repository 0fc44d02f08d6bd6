import { countedLateMs } from '../../db/contract/usage.ts'
import { minuteMs } from '../base/durations.ts'
import { bySteps, type JobParts } from './job.ts'

/** How often it is counted: at these minutes of each hour. */
export const countedEveryMs = 10 * minuteMs

/** They are read in their order and added up, and a step writes few rows: one takes some two milliseconds. */
const stepMessages = 1_000

/** Counts messages by key, line and template. The first time, all that are stored. */
export async function countUsage({ store, clock }: JobParts): Promise<void> {
  const before = clock.now() - countedLateMs
  await bySteps(clock, limit => store.write.countUsage({ before, limit }), stepMessages)
}
