import { acceptanceVerbs } from './acceptance.ts'
import { accountVerbs } from './accounts.ts'
import { auditVerbs, withAudit } from './audit.ts'
import { callbackVerbs } from './callbacks.ts'
import { contactVerbs } from './contacts.ts'
import { dispatchVerbs } from './dispatch.ts'
import { erasureVerbs } from './erasure.ts'
import { eventVerbs } from './events.ts'
import { keyVerbs } from './keys.ts'
import { lineVerbs } from './lines.ts'
import { mediaVerbs } from './media.ts'
import { memberVerbs } from './members.ts'
import type { Connection } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { removalVerbs } from './removal.ts'
import { secondFactorVerbs } from './secondFactor.ts'
import { sessionVerbs } from './sessions.ts'
import { setupVerbs } from './setup.ts'
import { templateVerbs } from './templates.ts'
import { updateVerbs } from './updates.ts'
import { userVerbs } from './users.ts'
import type { Verbs } from './verbs.ts'

/**
 * None of the verbs opens a transaction or a savepoint for itself: the group commit does, and only it.
 * @param keepsContents whether contents stay until they are pruned; otherwise only as long as they are still to be sent
 */
export function storeVerbs(connection: Connection, keepsContents = true): Verbs {
  const events = eventVerbs(connection, keepsContents)
  return withAudit(connection, {
    ...auditVerbs(connection),
    ...accountVerbs(connection),
    ...lineVerbs(connection),
    ...keyVerbs(connection),
    ...userVerbs(connection),
    ...sessionVerbs(connection),
    ...setupVerbs(connection),
    ...memberVerbs(connection),
    ...secondFactorVerbs(connection),
    ...acceptanceVerbs(connection),
    ...events,
    ...dispatchVerbs(connection, events.recordEvent),
    ...callbackVerbs(connection),
    ...contactVerbs(connection, keepsContents),
    ...templateVerbs(connection),
    ...updateVerbs(connection),
    ...mediaVerbs(connection),
    ...pruneVerbs(connection),
    ...removalVerbs(connection),
    ...erasureVerbs(connection),
  })
}
