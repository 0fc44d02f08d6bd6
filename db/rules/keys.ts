import { eq, sql } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import { hasWorkspace } from './accounts.ts'
import { changed, type Engine, first } from './engine.ts'

/** The verbs of API keys. No answer has the hash of a secret. */
export function keyVerbs(engine: Engine) {
  const {
    db,
    tables: { apiKeys },
    columns: { keyColumns },
  } = engine
  const findKey = (id: string) => first(db.select(keyColumns).from(apiKeys).where(eq(apiKeys.id, id)))

  const insert = (key: Omit<typeof apiKeys.$inferSelect, 'seq'>) =>
    changed(db.insert(apiKeys).values(key).returning(keyColumns))

  return {
    async createKey({
      expiresAt = null,
      allowedNetworks = null,
      scopes = null,
      lineIds = null,
      onOptOut = null,
      ...key
    }) {
      if (!(await hasWorkspace(engine, key.workspaceId))) return null
      const unused = { revokedAt: null, lastUsedAt: null }
      return insert({ ...key, ...unused, scope: key.id, expiresAt, allowedNetworks, scopes, lineIds, onOptOut })
    },

    async rotateKey({ keyId, successor, at, formerExpiresAt }) {
      const before = await findKey(keyId)
      if (!before) return { outcome: 'unknownKey' }
      if (before.revokedAt !== null) return { outcome: 'revoked' }
      if (before.expiresAt !== null && before.expiresAt <= at) return { outcome: 'expired' }
      const end = { expiresAt: Math.min(before.expiresAt ?? formerExpiresAt, formerExpiresAt) }
      const former = await changed(db.update(apiKeys).set(end).where(eq(apiKeys.id, keyId)).returning(keyColumns))
      const { workspaceId, scope, label, allowedNetworks, scopes, lineIds, onOptOut } = before
      const { expiresAt = null, ...made } = successor
      const unused = { createdAt: at, expiresAt, revokedAt: null, lastUsedAt: null }
      const kept = { workspaceId, scope, label, allowedNetworks, scopes, lineIds, onOptOut }
      const key = await insert({ ...made, ...unused, ...kept })
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
  } satisfies Partial<StoreWrites>
}
