import type { EpochMs } from '../../src/clock.ts'
import type { MessageRecord } from '../../src/message/state.ts'

/** A message of which only this is known yet. */
export const newRecord = (createdAt: EpochMs, dispatchedAt: EpochMs | null): MessageRecord => ({
  createdAt,
  dispatchedAt,
  acceptedAt: null,
  reportedSentAt: null,
  deliveredAt: null,
  readAt: null,
  failures: null,
  gaveUpAt: null,
  gaveUpReason: null,
  lostAt: null,
  channelMessageId: null,
  waId: null,
})
