import { gte } from 'drizzle-orm'
import type { StoreReads } from '../contract/store.ts'
import { accountReads } from './accountReads.ts'
import { apiRequestReads } from './apiRequests.ts'
import { auditReads } from './audit.ts'
import { batchReads } from './batchReads.ts'
import { erasureReads } from './contactErasure.ts'
import { contactReads } from './contactReads.ts'
import { conversationReads } from './conversations.ts'
import type { Engine } from './engine.ts'
import { eventReads } from './events.ts'
import { inboundReads } from './inboundReads.ts'
import { mediaReads } from './media.ts'
import { memberReads } from './members.ts'
import { messageReads } from './messageReads.ts'
import { messageSearches } from './messageSearch.ts'
import { priceRateReads } from './priceRates.ts'
import { putAwayReads } from './putAway.ts'
import { scheduledReads } from './scheduled.ts'
import { secondFactorReads } from './secondFactor.ts'
import { usageReads } from './usage.ts'
import { userReads } from './users.ts'
import { webhookReads } from './webhookReads.ts'

/** The reads that every engine has: for people, and the uploaded files that sends may reuse. */
export function sharedReads(engine: Engine) {
  const { db, tables } = engine
  return {
    ...accountReads(engine),
    ...apiRequestReads(engine),
    ...contactReads(engine),
    ...conversationReads(engine),
    ...erasureReads(engine),
    ...eventReads(engine),
    ...inboundReads(engine),
    ...mediaReads(engine),
    ...messageReads(engine),
    ...messageSearches(engine),
    ...auditReads(engine),
    ...batchReads(engine),
    ...priceRateReads(engine),
    ...putAwayReads(engine),
    ...scheduledReads(engine),
    ...usageReads(engine),
    ...userReads(engine),
    ...memberReads(engine),
    ...secondFactorReads(engine),
    ...webhookReads(engine),

    rateWindows: async startedSince => {
      const { rateWindows } = tables
      return await db.select().from(rateWindows).where(gte(rateWindows.startsAt, startedSince))
    },
  } satisfies Partial<StoreReads>
}
