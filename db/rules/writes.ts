import type { StoreWrites } from '../contract/store.ts'
import { accountVerbs } from './accounts.ts'
import { auditVerbs } from './audit.ts'
import { batchVerbs } from './batches.ts'
import { receiptVerbs } from './callbacks.ts'
import { contactErasureVerbs } from './contactErasure.ts'
import { contactVerbs } from './contacts.ts'
import { conversationStateVerbs } from './conversationStates.ts'
import { conversationVerbs } from './conversations.ts'
import type { Engine } from './engine.ts'
import { erasureVerbs } from './erasure.ts'
import { eventNumberVerbs } from './eventNumbers.ts'
import { fileVerbs } from './files.ts'
import { formerNamePruning } from './formerNames.ts'
import { keyVerbs } from './keys.ts'
import { lineVerbs } from './lines.ts'
import { mediaVerbs } from './media.ts'
import { memberVerbs } from './members.ts'
import { optOutVerbs } from './optOuts.ts'
import { paymentVerbs } from './payments.ts'
import { priceRateVerbs } from './priceRates.ts'
import { putAwayVerbs } from './putAway.ts'
import { removalVerbs } from './removal.ts'
import { scheduledVerbs } from './scheduled.ts'
import { secondFactorVerbs } from './secondFactor.ts'
import { secretVerbs } from './secrets.ts'
import { sessionVerbs } from './sessions.ts'
import { setupVerbs } from './setup.ts'
import { templateVerbs } from './templates.ts'
import { updateVerbs } from './updates.ts'
import { usageVerbs } from './usage.ts'
import { userVerbs } from './users.ts'
import { waitVerbs } from './waits.ts'
import { deliveryPruning } from './webhookDelivery.ts'
import { webhookVerbs } from './webhooks.ts'

/** Changes made by people, and other rare work. They need a serializable transaction. */
export const rareRules = (engine: Engine) =>
  ({
    ...auditVerbs(engine),
    ...accountVerbs(engine),
    ...priceRateVerbs(engine),
    ...putAwayVerbs(engine),
    ...secretVerbs(engine),
    ...lineVerbs(engine),
    ...keyVerbs(engine),
    ...userVerbs(engine),
    ...sessionVerbs(engine),
    ...setupVerbs(engine),
    ...memberVerbs(engine),
    ...conversationStateVerbs(engine),
    ...secondFactorVerbs(engine),
  }) satisfies Partial<StoreWrites>

/** Verbs that wait for rows that sends, callbacks or other instances use. They need a READ COMMITTED transaction. */
export const lockingRules = (engine: Engine) =>
  ({
    ...batchVerbs(engine),
    ...receiptVerbs(engine),
    ...updateVerbs(engine),
    ...paymentVerbs(engine),
    ...mediaVerbs(engine),
    ...fileVerbs(engine),
    ...removalVerbs(engine),
    ...erasureVerbs(engine),
    ...contactErasureVerbs(engine),
    ...contactVerbs(engine),
    ...optOutVerbs(engine),
    ...conversationVerbs(engine),
    ...scheduledVerbs(engine),
    ...templateVerbs(engine),
    ...usageVerbs(engine),
    ...webhookVerbs(engine),
    ...waitVerbs(engine),
    ...eventNumberVerbs(engine),
    ...deliveryPruning(engine),
    ...formerNamePruning(engine),
  }) satisfies Partial<StoreWrites>
