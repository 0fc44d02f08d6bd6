import type { Line, Message } from '../../db/records.ts'
import type { StoreReads } from '../../db/store.ts'

/** Messages of a workspace that are looked at first: a look costs the same however many are stored. */
const latestMax = 500
/** So many messages more are looked at for a line that another one hides: a millisecond. And for so many lines. */
const hiddenScan = 1_000
const hiddenLinesMax = 5
/** A line is judged by so many of its last sends: after a cure it is soon said to work. */
export const judgedMax = 40

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
  const more = await Promise.all(hidden.map(({ id }) => read.searchMessages({ ...own, lineId: id })))
  return [...messages, ...more.flatMap(found => found.messages).sort((a, b) => b.createdAt - a.createdAt)]
}
