import type { Channel, NewLine } from '../../db/records.ts'
import { newId } from '../ids.ts'
import { linePerSecond, pairSeconds } from '../text/upstreamLimits.ts'
import type { EpochMs } from '../time/clock.ts'
import { hourMs, secondMs } from '../time/durations.ts'

/** A hundred times the upstream's largest throughput. More is the same as no pacing, which is 0. */
export const perSecondMax = 100_000
/** Slower than one message an hour to a recipient is not useful. */
export const pairSecondsMax = hourMs / secondMs

/** A line as it begins: active, at the upstream's documented pace. */
export const newLine = (
  { id, workspaceId }: Pick<Channel, 'id' | 'workspaceId'>,
  { upstreamPhoneId, number }: Pick<NewLine, 'upstreamPhoneId' | 'number'>,
  createdAt: EpochMs,
): NewLine => ({
  id: newId('line'),
  workspaceId,
  channelId: id,
  upstreamPhoneId,
  number,
  active: true,
  perSecond: linePerSecond,
  pairSeconds,
  createdAt,
})
