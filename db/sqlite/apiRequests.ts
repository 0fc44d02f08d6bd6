import { type RequestOutcome, trimmedTo } from '../contract/apiRequests.ts'
import type { Verbs } from './commit.ts'
import type { Connection } from './open.ts'

/** The verb that keeps the last calls of API keys. */
export function apiRequestVerbs({ client }: Connection) {
  const keep = client.query<{ seq: number }, [string, RequestOutcome, number, number, string]>(
    `INSERT INTO api_requests (workspace_id, outcome, seq, count, at, calls)
     SELECT id, ?2, ?3 + coalesce(
         (SELECT seq FROM api_requests WHERE workspace_id = ?1 AND outcome = ?2 ORDER BY seq DESC LIMIT 1), 0),
       ?3, ?4, ?5
     FROM workspaces WHERE id = ?1 RETURNING seq`,
  )
  const trim = client.query<never, [string, RequestOutcome, number]>(
    'DELETE FROM api_requests WHERE workspace_id = ? AND outcome = ? AND seq <= ?',
  )

  return {
    recordApiRequests({ blocks }) {
      for (const { workspaceId, outcome, count, at, calls } of blocks) {
        const kept = keep.get(workspaceId, outcome, count, at, calls)
        const end = kept && trimmedTo({ seq: kept.seq, count })
        if (end !== null) trim.run(workspaceId, outcome, end)
      }
    },
  } satisfies Partial<Verbs>
}
