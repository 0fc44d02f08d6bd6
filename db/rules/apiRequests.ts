import { and, desc, eq, gt, lt } from 'drizzle-orm'
import { type ApiRequestReads, blockMax, requestsKept, unpacked } from '../contract/apiRequests.ts'
import { type Engine, first } from './engine.ts'

export function apiRequestReads({ db, tables: { apiRequests } }: Engine): ApiRequestReads {
  const { workspaceId, outcome, seq, count, at, calls } = apiRequests

  return {
    async apiRequests({ workspaceId: of, outcome: wanted, before, since, having = [], scan }) {
      const isOurs = and(eq(workspaceId, of), eq(outcome, wanted))
      const newest = await first(db.select({ seq }).from(apiRequests).where(isOurs).orderBy(desc(seq)).limit(1))
      if (!newest) return { requests: [], before: null }
      const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, newest.seq + 1)
      // Deleted from time to time only.
      const gone = newest.seq - requestsKept
      const from = Math.max(end - scan, gone + 1, 1)
      const blocks = await db
        .select({ seq, count, at, calls })
        .from(apiRequests)
        .where(and(isOurs, gt(seq, from - 1), lt(seq, end - 1 + blockMax)))
        .orderBy(desc(seq))
      // As they stand in the text of a block, which is looked through much faster than it is read.
      const marks = having.map(text => JSON.stringify(text))
      const requests = blocks
        .filter(block => marks.every(mark => block.calls.includes(mark)))
        .flatMap(block =>
          unpacked(block.calls)
            .map((request, index) => ({ ...request, outcome: wanted, number: block.seq - block.count + 1 + index }))
            .filter(({ number, at }) => number >= from && number < end && at >= since)
            .reverse(),
        )
      const oldest = blocks.at(-1)
      const isEnd = !oldest || oldest.seq - oldest.count >= from || oldest.at < since || from === Math.max(gone + 1, 1)
      return { requests, before: isEnd ? null : from }
    },
  }
}
