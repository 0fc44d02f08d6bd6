import { and, asc, desc, eq, gt, lt } from 'drizzle-orm'
import { type ApiRequestReads, blockMax, requestsKept, unpacked } from '../apiRequests.ts'
import { type Engine, first } from './engine.ts'

export function apiRequestReads({ db, tables: { apiRequests } }: Engine): ApiRequestReads {
  const { workspaceId, outcome, seq, count, calls } = apiRequests

  return {
    async apiRequests({ workspaceId: of, outcome: wanted, before, since, scan }) {
      const isOurs = and(eq(workspaceId, of), eq(outcome, wanted))
      const newest = await first(db.select({ seq }).from(apiRequests).where(isOurs).orderBy(desc(seq)).limit(1))
      if (!newest) return { requests: [], before: null }
      const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, newest.seq + 1)
      // Deleted from time to time only.
      const gone = newest.seq - requestsKept
      const from = Math.max(end - scan, gone + 1, 1)
      const blocks = await db
        .select({ seq, count, calls })
        .from(apiRequests)
        .where(and(isOurs, gt(seq, from - 1), lt(seq, end - 1 + blockMax)))
        .orderBy(asc(seq))
      const read = blocks.flatMap(block => {
        const begin = block.seq - block.count + 1
        return unpacked(block.calls).map((request, at) => ({ ...request, outcome: wanted, number: begin + at }))
      })
      const requests = read.filter(({ number, at }) => number >= from && number < end && at >= since).reverse()
      const isEnd = requests.length < end - from || from === gone + 1 || from === 1
      return { requests, before: isEnd ? null : from }
    },
  }
}
