import type { EpochMs } from '../../src/base/clock.ts'
import { eventless, type MessageRecord } from '../../src/message/state.ts'

/** A message of which only this is known yet. */
export const newRecord = (createdAt: EpochMs, dispatchedAt: EpochMs | null): MessageRecord => ({
  createdAt,
  dispatchedAt,
  ...eventless,
})
