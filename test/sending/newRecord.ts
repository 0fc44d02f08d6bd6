import { eventless, type MessageRecord } from '../../src/message/state.ts'
import type { EpochMs } from '../../src/time/clock.ts'

/** A message of which only this is known yet. */
export const newRecord = (createdAt: EpochMs, dispatchedAt: EpochMs | null): MessageRecord => ({
  createdAt,
  dispatchedAt,
  ...eventless,
})
