import { eq, sql } from 'drizzle-orm'
import { hasWorkspace } from './accounts.ts'
import { type Connection, first, jsonRows } from './open.ts'
import { keyColumns } from './rows.ts'
import { apiKeys } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of API keys. No answer has the hash of a secret. */
export function keyVerbs({ db }: Connection) {
  const findKey = (id: string) => first(db.select(keyColumns).from(apiKeys).where(eq(apiKeys.id, id)))

  async function insert(key: Omit<typeof apiKeys.$inferSelect, 'seq'>) {
    const [made] = await db.insert(apiKeys).values(key).returning(keyColumns)
    if (!made) throw new Error('an insert returns its row')
    return made
  }

  return {
    async createKey({ expiresAt = null, allowedNetworks = null, ...key }) {
      if (!(await hasWorkspace(db, key.workspaceId))) return null
      return insert({ ...key, scope: key.id, expiresAt, allowedNetworks, revokedAt: null, lastUsedAt: null })
    },

    async rotateKey({ keyId, successor, at, formerExpiresAt }) {
      const before = await findKey(keyId)
      if (!before) return { outcome: 'unknownKey' }
      if (before.revokedAt !== null) return { outcome: 'revoked' }
      if (before.expiresAt !== null && before.expiresAt <= at) return { outcome: 'expired' }
      const [former] = await db
        .update(apiKeys)
        .set({ expiresAt: Math.min(before.expiresAt ?? formerExpiresAt, formerExpiresAt) })
        .where(eq(apiKeys.id, keyId))
        .returning(keyColumns)
      if (!former) throw new Error('the key was found in the same transaction')
      const { workspaceId, scope, label, allowedNetworks } = before
      const { expiresAt = null, ...made } = successor
      const unused = { createdAt: at, expiresAt, revokedAt: null, lastUsedAt: null }
      const key = await insert({ ...made, ...unused, workspaceId, scope, label, allowedNetworks })
      return { outcome: 'rotated', key, former }
    },

    async limitKey({ keyId, ...change }) {
      if (Object.keys(change).length > 0) await db.update(apiKeys).set(change).where(eq(apiKeys.id, keyId))
      return findKey(keyId)
    },

    revokeKey: ({ keyId, at }) =>
      first(
        db
          .update(apiKeys)
          .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})` })
          .where(eq(apiKeys.id, keyId))
          .returning(keyColumns),
      ),
  } satisfies Partial<Verbs>
}

/** The verb of when keys were last used. All instances tell it of the same keys. */
export function keyUseVerbs({ query }: Connection) {
  return {
    async recordKeyUse({ uses }) {
      // Locked in one order, so that no two wait for each other.
      await query(
        `WITH uses AS (
           SELECT "keyId", max(at) AS at FROM json_to_recordset($1::text::json) AS x ("keyId" text, at bigint) GROUP BY "keyId"
         ), used AS (
           SELECT seq, uses.at FROM uses JOIN api_keys ON id = "keyId" ORDER BY seq FOR NO KEY UPDATE OF api_keys
         )
         UPDATE api_keys SET last_used_at = used.at FROM used
         WHERE api_keys.seq = used.seq AND (last_used_at IS NULL OR last_used_at < used.at)`,
        [jsonRows(uses)],
      )
    },
  } satisfies Partial<Verbs>
}
