import { and, eq, gte, lt } from 'drizzle-orm'
import { putAwayMsMax } from '../contract/accounts.ts'
import type { StoreReads, StoreWrites } from '../contract/store.ts'
import type { Engine } from './engine.ts'

/** Findings that somebody has put away. */
export function putAwayVerbs({ db, tables: { putAwayFindings } }: Engine) {
  const { workspaceId: owner, finding: key, at: since } = putAwayFindings
  return {
    async putAwayFinding(put) {
      const { workspaceId, by, at } = put
      // What has ended is shown again anyway: so the rows of a workspace are bounded by what it finds in that time.
      await db.delete(putAwayFindings).where(and(eq(owner, workspaceId), lt(since, at - putAwayMsMax)))
      await db
        .insert(putAwayFindings)
        .values(put)
        .onConflictDoUpdate({ target: [owner, key], set: { by, at } })
    },

    async bringBackFinding({ workspaceId, finding }) {
      await db.delete(putAwayFindings).where(and(eq(owner, workspaceId), eq(key, finding)))
    },
  } satisfies Partial<StoreWrites>
}

export const putAwayReads = ({ db, tables: { putAwayFindings } }: Engine): Pick<StoreReads, 'putAwayFindings'> => ({
  putAwayFindings: async ({ workspaceId, at }) =>
    await db
      .select()
      .from(putAwayFindings)
      .where(and(eq(putAwayFindings.workspaceId, workspaceId), gte(putAwayFindings.at, at - putAwayMsMax))),
})
