import type { StoreWrites } from '../contract/store.ts'
import { withAudit } from '../rules/audit.ts'
import { inbox } from '../rules/contacts.ts'
import { lockingRules, rareRules } from '../rules/writes.ts'
import { apiRequestVerbs } from './apiRequests.ts'
import { gathered } from './batch.ts'
import { engineOf } from './engine.ts'
import { keptRules } from './keptRules.ts'
import { type Connection, jsonRows, type Pool } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { windowVerbs } from './rateWindows.ts'
import { type Isolation, inTransaction, rareEndMsMax } from './transaction.ts'

/**
 * Changes made by people, and other rare work: each call is one serializable transaction, repeated when it collides.
 */
export function rareVerbs(connection: Connection) {
  const engine = engineOf(connection)
  return withAudit(engine, rareRules(engine))
}

/**
 * Verbs that wait for rows that sends, callbacks or other instances are using, and must see the rows as they are after
 * the wait: a serializable transaction would see their old state.
 */
export function lockingVerbs(connection: Connection) {
  const engine = engineOf(connection)
  return withAudit(engine, {
    ...lockingRules(engine),
    ...keyUseVerbs(connection),
    ...apiRequestVerbs(connection),
    ...pruneVerbs(connection),
    ...windowVerbs(connection),
  } satisfies Partial<StoreWrites>)
}

/** @returns the verbs, each of which opens its own transaction */
export function inTransactions(pool: Pool): ReturnType<typeof rareVerbs> & ReturnType<typeof lockingVerbs> {
  return { ...opening(pool, 'serializable', rareVerbs), ...opening(pool, 'read committed', lockingVerbs) }
}

function opening<Some extends Partial<StoreWrites>>(
  pool: Pool,
  isolation: Isolation,
  verbsOn: (connection: Connection) => Some,
): Some {
  const withVerbs = keptRules(verbsOn)
  const opened = Object.keys(verbsOn(pool)).map(name => {
    const run = (argument: unknown) => {
      const work = (connection: Connection) =>
        withVerbs(connection, async verbs => {
          const verb = verbs[name as keyof Some] as (argument: unknown) => Promise<unknown>
          return await verb(argument)
        })
      return inTransaction(pool, isolation, work, { endMsMax: rareEndMsMax })
    }
    return [name, run] as const
  })
  // Wrapping keeps every verb's own type.
  return Object.fromEntries(opened) as Some
}

/**
 * The verbs of callbacks: the calls of a turn share a transaction.
 * @param keepsContents whether contents stay until they are pruned
 */
export function callbackVerbs(pool: Pool, keepsContents = true) {
  const withInbox = keptRules(connection => inbox(engineOf(connection), keepsContents))
  return {
    recordInbound: gathered(async batches => {
      const work = (connection: Connection) => withInbox(connection, record => record(batches))
      await inTransaction(pool, 'read committed', work, { calls: batches.length, readsFirst: true })
      return batches.map(() => undefined)
    }),
  } satisfies Partial<StoreWrites>
}

/** The verb that stores when keys were last used. All instances report the same keys. */
function keyUseVerbs({ query }: Connection) {
  return {
    async recordKeyUse({ uses }) {
      // Locked in one order, so that no two wait for each other.
      await query(
        `WITH uses AS (
           SELECT "keyId", max(at) AS at FROM json_to_recordset($1::text::json) AS x ("keyId" text, at bigint)
           GROUP BY "keyId"
         ), used AS (
           SELECT seq, uses.at FROM uses JOIN api_keys ON id = "keyId" ORDER BY seq FOR NO KEY UPDATE OF api_keys
         )
         UPDATE api_keys SET last_used_at = used.at FROM used
         WHERE api_keys.seq = used.seq AND (last_used_at IS NULL OR last_used_at < used.at)`,
        [jsonRows(uses)],
      )
    },
  } satisfies Partial<StoreWrites>
}
