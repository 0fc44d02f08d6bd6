import type { StoreReads } from '../../../db/contract/store.ts'
import type { EpochMs } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { dayOf } from '../../message/counts.ts'
import { hasFailed, isOpen, messageStatuses } from '../../message/statuses.ts'
import { countFound, type Filter, type Searcher } from '../../reading/messages.ts'

/** The overview has the numbers of a quarter at most. */
export const knownMs = 90 * dayMs

interface Times {
  readonly now: EpochMs
  /** Older messages may be deleted, and their numbers stay. */
  readonly retainedSince: EpochMs
}

/** How many messages fit: exactly where the overview's numbers say it, else as far as that is known soon. */
export async function countMessages(
  read: Pick<StoreReads, 'dailyCounts'>,
  searcher: Searcher,
  filter: Filter,
  times: Times,
): Promise<{ count: number; isMore: boolean }> {
  const known = knownOf(filter, times)
  if (known === null) return countFound(searcher, filter)
  const { kinds, since, before, open } = known
  await searcher.turn()
  const counts = await read.dailyCounts({ workspaceId: filter.workspaceId, since })
  const fitting = counts.filter(({ day, kind }) => day < before && kinds.includes(kind))
  const settled = fitting.reduce((sum, { count }) => sum + count, 0)
  // What waits is in no number of a day. Only of one status is it found without a look at all messages.
  const waiting = await Promise.all(open.map(status => countFound(searcher, { ...filter, status: [status] })))
  return {
    count: waiting.reduce((sum, { count }) => sum + count, settled),
    isMore: waiting.some(({ isMore }) => isMore),
  }
}

/** @returns what to add up (src/message/counts.ts); null where the numbers of days do not say it */
function knownOf(filter: Filter, { now, retainedSince }: Times) {
  const { workspaceId: _, since, until, status = messageStatuses, cause, ...others } = filter
  if (Object.values(others).some(value => value !== undefined)) return null
  const isWhole = (at: EpochMs) => at % dayMs === 0
  if (since === undefined || !isWhole(since) || since < Math.max(now - knownMs, retainedSince)) return null
  const isEndless = until === undefined || until > now
  if (!isEndless && !isWhole(until)) return null
  if (cause !== undefined && !status.some(hasFailed)) return null
  return {
    kinds: cause === undefined ? status.filter(one => !isOpen(one)) : [`failed:${cause}`],
    since: dayOf(since),
    before: isEndless ? dayOf(now + dayMs) : dayOf(until),
    open: cause === undefined ? status.filter(isOpen) : [],
  }
}
