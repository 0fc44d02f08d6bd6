import { trimmedTo } from '../contract/apiRequests.ts'
import type { StoreWrites } from '../contract/store.ts'
import { type Connection, jsonRows } from './open.ts'

interface Kept {
  readonly workspaceId: string
  readonly outcome: string
  readonly seq: number
  readonly count: number
}

/** The verb that keeps the last calls of API keys: those of all instances. */
export function apiRequestVerbs({ query }: Connection) {
  return {
    async recordApiRequests({ blocks }) {
      const ids = [...new Set(blocks.map(({ workspaceId }) => workspaceId))]
      // One instance after the other counts the calls of a workspace. No send, and no key that refers to it, waits.
      await query('SELECT id FROM workspaces WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE', [ids])
      // A statement of its own: it has to see what the instance before has stored.
      const kept = await query<Kept>(
        `INSERT INTO api_requests (workspace_id, outcome, seq, count, at, calls)
         SELECT id, outcome,
           sum(count) OVER (PARTITION BY id, outcome ORDER BY place) + coalesce(
             (SELECT seq FROM api_requests AS kept WHERE kept.workspace_id = id AND kept.outcome = block.outcome
              ORDER BY seq DESC LIMIT 1), 0),
           count, at, calls
         FROM ROWS FROM (json_to_recordset($1::text::json)
             AS ("workspaceId" text, outcome text, count bigint, at bigint, calls text))
           WITH ORDINALITY AS block ("workspaceId", outcome, count, at, calls, place)
         JOIN workspaces ON id = "workspaceId"
         RETURNING workspace_id AS "workspaceId", outcome, seq::float8 AS seq, count::float8 AS count`,
        [jsonRows(blocks)],
      )
      const ends = kept.flatMap(block => {
        const end = trimmedTo(block)
        return end === null ? [] : [{ workspaceId: block.workspaceId, outcome: block.outcome, end }]
      })
      if (ends.length === 0) return
      await query(
        // One look into the key for each: the server would take the list for so long that it read all calls.
        `DELETE FROM api_requests WHERE ctid = ANY(ARRAY(
           SELECT beyond.ctid
           FROM json_to_recordset($1::text::json) AS ends ("workspaceId" text, outcome text, "end" bigint)
           CROSS JOIN LATERAL (
             SELECT ctid FROM api_requests
             WHERE workspace_id = "workspaceId" AND api_requests.outcome = ends.outcome AND seq <= "end"
             OFFSET 0) AS beyond))`,
        [jsonRows(ends)],
      )
    },
  } satisfies Partial<StoreWrites>
}
