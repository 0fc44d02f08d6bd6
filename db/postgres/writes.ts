import { accountVerbs } from './accounts.ts'
import { auditVerbs, withAudit } from './audit.ts'
import { gathered } from './batch.ts'
import { receiptVerbs } from './callbacks.ts'
import { contactVerbs, recordInbound } from './contacts.ts'
import { erasureVerbs } from './erasure.ts'
import { keyUseVerbs, keyVerbs } from './keys.ts'
import { lineVerbs } from './lines.ts'
import { mediaVerbs } from './media.ts'
import { memberVerbs } from './members.ts'
import type { Connection, Pool } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { windowVerbs } from './rateWindows.ts'
import { removalVerbs } from './removal.ts'
import { secondFactorVerbs } from './secondFactor.ts'
import { sessionVerbs } from './sessions.ts'
import { setupVerbs } from './setup.ts'
import { templateVerbs } from './templates.ts'
import { type Isolation, inTransaction, rareEndMsMax } from './transaction.ts'
import { updateVerbs } from './updates.ts'
import { userVerbs } from './users.ts'
import type { Verbs } from './verbs.ts'

/** What people do, and other rare work: each call is one serializable transaction, and repeated when it collides. */
export function rareVerbs(connection: Connection) {
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
    ...templateVerbs(connection),
  } satisfies Partial<Verbs>)
}

/**
 * What waits for the rows that it decides on, because sends, callbacks or other instances are using them, and sees them as
 * they are then: a serializable transaction would see them as they were before.
 */
export function lockingVerbs(connection: Connection) {
  return withAudit(connection, {
    ...contactVerbs(connection),
    ...keyUseVerbs(connection),
    ...receiptVerbs(connection),
    ...updateVerbs(connection),
    ...mediaVerbs(connection),
    ...pruneVerbs(connection),
    ...removalVerbs(connection),
    ...erasureVerbs(connection),
    ...windowVerbs(connection),
  } satisfies Partial<Verbs>)
}

/** @returns the verbs, each of which opens its own transaction */
export function inTransactions(pool: Pool): ReturnType<typeof rareVerbs> & ReturnType<typeof lockingVerbs> {
  return { ...opening(pool, 'serializable', rareVerbs), ...opening(pool, 'read committed', lockingVerbs) }
}

function opening<Some extends Partial<Verbs>>(
  pool: Pool,
  isolation: Isolation,
  verbsOn: (connection: Connection) => Some,
): Some {
  const opened = Object.keys(verbsOn(pool)).map(name => {
    const run = (argument: unknown) => {
      const work = async (connection: Connection) => {
        const verb = verbsOn(connection)[name as keyof Some] as (argument: unknown) => Promise<unknown>
        return await verb(argument)
      }
      return inTransaction(pool, isolation, work, { endMsMax: rareEndMsMax })
    }
    return [name, run] as const
  })
  // Wrapping keeps every verb's own type.
  return Object.fromEntries(opened) as Some
}

/**
 * What comes in with callbacks: the calls of a turn share a transaction.
 * @param keepsContents whether contents stay until they are pruned
 */
export const callbackVerbs = (pool: Pool, keepsContents = true) =>
  ({
    recordInbound: gathered(async batches => {
      const work = (connection: Connection) => recordInbound(connection, batches, keepsContents)
      await inTransaction(pool, 'read committed', work, { calls: batches.length })
      return batches.map(() => undefined)
    }),
  }) satisfies Partial<Verbs>
