import type { StoreWrites } from '../contract/store.ts'
import { type Connection, jsonRows } from './open.ts'

/** The verb that stores when keys were last used. All instances report the same keys. */
export function keyUseVerbs({ query }: Connection) {
  return {
    async recordKeyUse({ uses }) {
      // Locked in one order, so that no two wait for each other.
      await query(
        `WITH uses AS (
           SELECT "keyId", max(at) AS at FROM json_to_recordset($1::text::json) AS x ("keyId" text, at bigint)
           GROUP BY "keyId"
         ), used AS (
           SELECT seq, uses.at FROM uses JOIN api_keys ON id = "keyId" ORDER BY seq FOR NO KEY UPDATE OF api_keys
         )
         UPDATE api_keys SET last_used_at = used.at FROM used
         WHERE api_keys.seq = used.seq AND (last_used_at IS NULL OR last_used_at < used.at)`,
        [jsonRows(uses)],
      )
    },
  } satisfies Partial<StoreWrites>
}
