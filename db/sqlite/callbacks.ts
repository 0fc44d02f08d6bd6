import { sql } from 'drizzle-orm'
import type { Connection } from './open.ts'
import { callbackReceipts } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of received callbacks. */
export function callbackVerbs({ db }: Connection) {
  const { channelId, acceptedAt, refusedAt, refusal: why } = callbackReceipts
  return {
    noteCallback({ channelId: id, at, refusal }) {
      if (refusal === null) {
        db.insert(callbackReceipts)
          .values({ channelId: id, acceptedAt: at })
          .onConflictDoUpdate({ target: channelId, set: { acceptedAt: sql`max(coalesce(${acceptedAt}, 0), ${at})` } })
          .run()
        return
      }
      const isLater = sql`${at} >= coalesce(${refusedAt}, 0)`
      db.insert(callbackReceipts)
        .values({ channelId: id, refusedAt: at, refusal })
        .onConflictDoUpdate({
          target: channelId,
          set: {
            refusedAt: sql`CASE WHEN ${isLater} THEN ${at} ELSE ${refusedAt} END`,
            refusal: sql`CASE WHEN ${isLater} THEN ${refusal} ELSE ${why} END`,
          },
        })
        .run()
    },
  } satisfies Partial<Verbs>
}
