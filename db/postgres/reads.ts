import { gte } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { StoreReads } from '../store.ts'
import { accountReads } from './accountReads.ts'
import { auditReads } from './auditReads.ts'
import { contactReads } from './contactReads.ts'
import { waitingFor } from './erasure.ts'
import { mediaReads } from './media.ts'
import { memberReads } from './members.ts'
import { messageLookup } from './messageLookup.ts'
import { messageReads } from './messageReads.ts'
import { messageSearch } from './messageSearch.ts'
import type { Connection } from './open.ts'
import { rateWindows } from './schema/tables.ts'
import { secondFactorReads } from './secondFactor.ts'
import type { SettingsReads } from './settings.ts'
import { userReads } from './users.ts'

/** All reads but the settings', each outside of any transaction. */
export function storeReads(connection: Connection) {
  const { db } = connection
  return {
    ...accountReads(connection),
    ...contactReads(connection),
    ...messageLookup(connection),
    ...messageReads(connection),
    ...messageSearch(connection),
    ...mediaReads(connection),
    ...auditReads(connection),
    ...userReads(connection),
    ...memberReads(connection),
    ...secondFactorReads(connection),

    waitingFor: (query: Parameters<StoreReads['waitingFor']>[0]) => waitingFor(db, query),

    rateWindows: async (startedSince: EpochMs) =>
      await db.select().from(rateWindows).where(gte(rateWindows.startsAt, startedSince)),
  } satisfies Omit<StoreReads, keyof SettingsReads>
}
