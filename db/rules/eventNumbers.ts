import { sql } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import type { Engine } from './engine.ts'

/** Before the first version. */
const countedSince = Date.UTC(2026, 0, 1)
/**
 * No workspace has as many events in each millisecond since then: so a number that the clock gives is behind all that
 * were used. The ids have room for 2^50, which is enough for 278 years.
 */
const numbersPerMs = 128

/** The verb of the numbers of events in a database that was restored. */
export function eventNumberVerbs({ db, tables }: Engine) {
  const { eventCounters, workspaces } = tables

  return {
    async passEventNumbers({ at }) {
      const passed = Math.max(0, at - countedSince) * numbersPerMs
      for (const { id: workspaceId } of await db.select({ id: workspaces.id }).from(workspaces)) {
        const last = sql`CASE WHEN ${eventCounters.last} < ${passed} THEN ${passed} ELSE ${eventCounters.last} END`
        await db
          .insert(eventCounters)
          .values({ workspaceId, last: passed })
          .onConflictDoUpdate({ target: eventCounters.workspaceId, set: { last } })
      }
    },
  } satisfies Partial<StoreWrites>
}
