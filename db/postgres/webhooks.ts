import { eq } from 'drizzle-orm'
import { queuedType } from '../../src/base/eventTypes.ts'
import type { ClaimedWebhooks } from '../contract/shared.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { WebhookDeliveryWrites } from '../contract/webhookDelivery.ts'
import { first } from '../rules/engine.ts'
import { webhookDeliveryVerbs } from '../rules/webhookDelivery.ts'
import { engineOf } from './engine.ts'
import { type Instance, isInForce } from './instances.ts'
import type { Pool } from './open.ts'
import { tables } from './schema/tables.ts'
import { reading } from './transaction.ts'

type Fenced = Omit<WebhookDeliveryWrites, 'pruneDeliveries'>

/** The verbs of the engine that delivers, of endpoints of this instance only. */
export function fencedWebhookVerbs(instance: Instance): Pick<StoreWrites, keyof Fenced> {
  const fenced = <Result>(run: (verbs: Fenced) => Promise<Result>) =>
    instance.fenced((connection, own) =>
      run(webhookDeliveryVerbs(engineOf(connection), eq(tables.webhookEndpoints.instanceSeq, own))),
    )
  return {
    recordAttempts: record => fenced(verbs => verbs.recordAttempts(record)),
    disableWebhook: change => fenced(verbs => verbs.disableWebhook(change)),
  }
}

/** What this process changes counts at once for its own acceptances; for those of others, with their next claim. */
export function noticing(verbs: StoreWrites, instance: Instance): StoreWrites {
  const notice =
    <Argument, Result>(run: (argument: Argument) => Promise<Result>) =>
    async (argument: Argument): Promise<Result> => {
      const result = await run(argument)
      instance.mayBeAsked = true
      instance.webhookChanges += 1
      return result
    }
  return { ...verbs, addWebhook: notice(verbs.addWebhook), changeWebhook: notice(verbs.changeWebhook) }
}

/** An instance takes so many at once: others that start now get theirs. */
const claimedAtOnceMax = 8

const isOpen = 'disabled_at IS NULL AND removed_at IS NULL'
const isFree = `${isOpen} AND NOT EXISTS (SELECT 1 FROM instances WHERE seq = instance_seq)`

/**
 * Each instance takes its share of those that are on: together they have all. `$2`: whether it is ready. The others see
 * that with their next claim, and of its own row this statement sees what was before.
 */
const claim = `WITH told AS (UPDATE instances SET delivers = $2::boolean WHERE seq = $1 AND delivers <> $2::boolean),
  own AS MATERIALIZED (SELECT id FROM webhook_endpoints WHERE ${isOpen} AND instance_seq = $1),
  others AS MATERIALIZED (
    SELECT count(*) AS living, count(*) FILTER (WHERE delivers) AS ready
    FROM instances WHERE seq <> $1 AND ${isInForce('expires_at')}),
  share AS MATERIALIZED (
    SELECT CASE WHEN ready > 0 AND NOT $2::boolean THEN 0 ELSE ceil(
        (SELECT count(*) FROM webhook_endpoints WHERE ${isOpen})::float8
        / (CASE WHEN $2::boolean THEN ready ELSE living END + 1)) END::int AS count,
      (SELECT count(*) FROM own)::int AS owned
    FROM others),
  claimed AS (
    UPDATE webhook_endpoints SET instance_seq = $1
    WHERE EXISTS (SELECT 1 FROM instances WHERE seq = $1) AND id = ANY(ARRAY(
      SELECT id FROM webhook_endpoints WHERE ${isFree} ORDER BY id
      LIMIT (SELECT greatest(least(count - owned, ${claimedAtOnceMax}), 0) FROM share)
      FOR UPDATE SKIP LOCKED))
    RETURNING id)
  SELECT ARRAY(SELECT id FROM own UNION SELECT id FROM claimed) AS ids,
    (SELECT greatest(owned - count, 0) FROM share) AS surplus, EXISTS (
      SELECT FROM webhook_endpoints WHERE ${isOpen} AND types LIKE '%"${queuedType}"%') AS "isAsked"`

/** As `Shared.claimWebhooks`. An instance that is gone has none: its number is never used again. */
export async function claimWebhooks(pool: Pool, instance: Instance, isReady = true): Promise<ClaimedWebhooks> {
  const { webhookChanges } = instance
  const claiming = () => first(pool.query<ClaimedWebhooks & { isAsked: boolean }>(claim, [instance.seq, isReady]))
  const claimed = await reading(pool, claiming)
  // What was changed meanwhile it may not have seen.
  if (instance.webhookChanges === webhookChanges) instance.mayBeAsked = claimed?.isAsked ?? true
  return { ids: claimed?.ids ?? [], surplus: claimed?.surplus ?? 0 }
}

/** As `Shared.releaseWebhooks`. */
export async function releaseWebhooks(pool: Pool, instance: Instance, endpointIds: readonly string[]): Promise<void> {
  const release = 'UPDATE webhook_endpoints SET instance_seq = NULL WHERE id = ANY($2::text[]) AND instance_seq = $1'
  await reading(pool, () => pool.query(release, [instance.seq, endpointIds]))
}
