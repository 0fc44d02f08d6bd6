import type { Channel, Line, Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { EpochMs } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { causeOf } from '../../message/counts.ts'
import { failureReasonOf } from '../../message/state.ts'
import { hasFailed, isUnsettled } from '../../message/statuses.ts'
import { isTokenRefused, refusedTokens } from './refusedTokens.ts'

/** Messages of a workspace that are looked at first: a look costs the same however many are stored. */
const latestMax = 500
/** What a line met earlier says nothing of today. */
const judgedMsMax = 7 * dayMs
/** A line is judged by so many of its last sends: after a cure it is soon said to work. */
export const judgedMax = 40
/** One failure in five. */
export const failureShare = 0.2
/** One number that does not exist is no fault of the line. */
const failuresMin = 3

export interface LineHealth {
  /** `quiet`: it has sent nothing lately. */
  readonly state: 'works' | 'fails' | 'quiet'
  /** How many of its last sends are judged. */
  readonly sent: number
  readonly failed: number
  /** Why most of them failed, as failures are counted. */
  readonly cause: string | null
  readonly deliveredAt: EpochMs | null
}

/** So many messages more are looked at for a line that another one hides: a millisecond. And for so many lines. */
const hiddenScan = 1_000
const hiddenLinesMax = 5

/** The latest messages of a workspace, newest first, with some of each active line where they are soon found. */
export async function latestMessages(
  read: Pick<StoreReads, 'searchMessages'>,
  workspaceId: string,
  lines: readonly Pick<Line, 'id' | 'active'>[],
): Promise<readonly Message[]> {
  const search = { workspaceId, direction: 'older' } as const
  const { messages, next } = await read.searchMessages({ ...search, limit: latestMax, scan: latestMax })
  if (next === null) return messages
  const shown = new Set(messages.map(({ lineId }) => lineId))
  const hidden = lines.filter(({ id, active }) => active && !shown.has(id)).slice(0, hiddenLinesMax)
  const own = { ...search, cursor: next, limit: judgedMax, scan: hiddenScan }
  const more = await Promise.all(hidden.map(({ id }) => read.searchMessages({ ...own, line: id })))
  return [...messages, ...more.flatMap(found => found.messages).sort((a, b) => b.createdAt - a.createdAt)]
}

/** @param messages the latest ones of the workspace. @returns what the last sends of a line met */
export function lineHealth(
  line: Pick<Line, 'id' | 'channelId'>,
  messages: readonly Message[],
  channels: readonly Pick<Channel, 'id' | 'updatedAt'>[],
  now: EpochMs,
): LineHealth {
  const secretsAt = channels.find(({ id }) => id === line.channelId)?.updatedAt ?? 0
  const own = messages.filter(({ lineId, createdAt }) => lineId === line.id && now - createdAt <= judgedMsMax)
  const judged = own
    .filter(
      message => !isUnsettled(message.status) && (!isTokenRefused(message, 0) || isTokenRefused(message, secretsAt)),
    )
    .slice(0, judgedMax)
  const failures = judged.filter(({ status }) => hasFailed(status))
  const [cause] = [...Map.groupBy(failures, message => causeOf(failureReasonOf(message)))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const isFailing =
    failures.length >= Math.min(failuresMin, judged.length) && failures.length >= judged.length * failureShare
  const isRefused = refusedTokens(judged, channels).has(line.channelId)
  return {
    state: judged.length === 0 ? 'quiet' : isFailing || isRefused ? 'fails' : 'works',
    sent: judged.length,
    failed: failures.length,
    cause: cause?.[0] ?? null,
    deliveredAt: own.reduce<EpochMs | null>((last, of) => later(last, of.deliveredAt ?? of.readAt), null),
  }
}

const later = (one: EpochMs | null, other: EpochMs | null) => (other === null ? one : Math.max(one ?? 0, other))
