import { type Column, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { Engine } from './engine.ts'

/** The verbs that record when callbacks came. */
export function receiptVerbs({ db, tables: { callbackReceipts } }: Engine) {
  const later = (at: EpochMs, column: Column) =>
    sql`CASE WHEN ${at} > coalesce(${column}, 0) THEN ${at} ELSE ${column} END`
  const { channelId, acceptedAt, refusedAt, refusal: why } = callbackReceipts
  return {
    async noteCallback({ channelId: id, at, refusal }) {
      if (refusal === null) {
        await db
          .insert(callbackReceipts)
          .values({ channelId: id, acceptedAt: at })
          .onConflictDoUpdate({ target: channelId, set: { acceptedAt: later(at, acceptedAt) } })
        return
      }
      const isLater = sql`${at} >= coalesce(${refusedAt}, 0)`
      await db
        .insert(callbackReceipts)
        .values({ channelId: id, refusedAt: at, refusal })
        .onConflictDoUpdate({
          target: channelId,
          set: {
            refusedAt: later(at, refusedAt),
            refusal: sql`CASE WHEN ${isLater} THEN ${refusal} ELSE ${why} END`,
          },
        })
    },
  } satisfies Partial<StoreWrites>
}
