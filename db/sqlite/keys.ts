import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Connection } from './open.ts'
import { ownTables } from './schema.ts'
import type { Verbs } from './verbs.ts'

const { apiKeys } = ownTables

/** The verb of when keys were last used. */
export function keyUseVerbs({ db }: Connection) {
  return {
    recordKeyUse({ uses }) {
      for (const { keyId, at } of uses) {
        const isLater = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at))
        db.update(apiKeys)
          .set({ lastUsedAt: at })
          .where(and(eq(apiKeys.id, keyId), isLater))
          .run()
      }
    },
  } satisfies Partial<Verbs>
}
