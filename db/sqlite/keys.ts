import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { hasWorkspace } from './accounts.ts'
import type { Connection } from './open.ts'
import { keyColumns } from './rows.ts'
import { apiKeys } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of API keys. No answer has the hash of a secret. */
export function keyVerbs({ db }: Connection) {
  const insert = (key: Omit<typeof apiKeys.$inferSelect, 'seq'>) =>
    db.insert(apiKeys).values(key).returning(keyColumns).get()

  return {
    createKey({ expiresAt = null, allowedNetworks = null, ...key }) {
      if (!hasWorkspace(db, key.workspaceId)) return null
      return insert({ ...key, scope: key.id, expiresAt, allowedNetworks, revokedAt: null, lastUsedAt: null })
    },

    rotateKey({ keyId, successor, at, formerExpiresAt }) {
      const before = db.select(keyColumns).from(apiKeys).where(eq(apiKeys.id, keyId)).limit(1).get()
      if (!before) return { outcome: 'unknownKey' }
      if (before.revokedAt !== null) return { outcome: 'revoked' }
      if (before.expiresAt !== null && before.expiresAt <= at) return { outcome: 'expired' }
      const former = db
        .update(apiKeys)
        .set({ expiresAt: Math.min(before.expiresAt ?? formerExpiresAt, formerExpiresAt) })
        .where(eq(apiKeys.id, keyId))
        .returning(keyColumns)
        .get()
      const { workspaceId, scope, label, allowedNetworks } = before
      const { expiresAt = null, ...made } = successor
      const unused = { createdAt: at, expiresAt, revokedAt: null, lastUsedAt: null }
      return {
        outcome: 'rotated',
        key: insert({ ...made, ...unused, workspaceId, scope, label, allowedNetworks }),
        former,
      }
    },

    limitKey({ keyId, ...change }) {
      const key = eq(apiKeys.id, keyId)
      if (Object.keys(change).length > 0) db.update(apiKeys).set(change).where(key).run()
      return db.select(keyColumns).from(apiKeys).where(key).limit(1).get() ?? null
    },

    recordKeyUse({ uses }) {
      for (const { keyId, at } of uses) {
        const isLater = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at))
        db.update(apiKeys)
          .set({ lastUsedAt: at })
          .where(and(eq(apiKeys.id, keyId), isLater))
          .run()
      }
    },

    revokeKey: ({ keyId, at }) =>
      db
        .update(apiKeys)
        .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})` })
        .where(eq(apiKeys.id, keyId))
        .returning(keyColumns)
        .get() ?? null,
  } satisfies Partial<Verbs>
}
