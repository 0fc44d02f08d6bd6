import { sql } from 'drizzle-orm'
import type { Connection } from './open.ts'
import { callbackReceipts } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of when callbacks came. */
export function receiptVerbs({ db }: Connection) {
  const { channelId, acceptedAt, refusedAt, refusal: why } = callbackReceipts
  return {
    async noteCallback({ channelId: id, at, refusal }) {
      if (refusal === null) {
        await db
          .insert(callbackReceipts)
          .values({ channelId: id, acceptedAt: at })
          .onConflictDoUpdate({ target: channelId, set: { acceptedAt: sql`greatest(${acceptedAt}, ${at})` } })
        return
      }
      const isLater = sql`${at} >= coalesce(${refusedAt}, 0)`
      await db
        .insert(callbackReceipts)
        .values({ channelId: id, refusedAt: at, refusal })
        .onConflictDoUpdate({
          target: channelId,
          set: {
            refusedAt: sql`greatest(${refusedAt}, ${at})`,
            refusal: sql`CASE WHEN ${isLater} THEN ${refusal} ELSE ${why} END`,
          },
        })
    },
  } satisfies Partial<Verbs>
}
