import { fullPace, slowed } from '../../src/message/slowdown.ts'
import type { RateAdmission, Shared } from '../contract/shared.ts'
import { first } from '../rules/engine.ts'
import { gathered } from './batch.ts'
import type { Changes } from './changes.ts'
import { databaseNow, type Instance, isInForce, leaseMs } from './instances.ts'
import type { LockWatch } from './locks.ts'
import type { Pool } from './open.ts'
import { admitAll, type Count } from './rateWindows.ts'
import { inStatement, inTransaction, reading } from './transaction.ts'
import { claimWebhooks, releaseWebhooks } from './webhooks.ts'

export interface SharedParts {
  readonly pool: Pool
  /** Null: a command, which takes no leases. */
  readonly instance: Instance | null
  readonly changes: Pick<Changes, 'announce' | 'watch'>
  readonly locks: Pick<LockWatch, 'read'>
}

/** The lease of the instance that does the jobs of all. */
const jobsLease = 'jobs'
/** A later answer counts as no: the lease would expire soon after. */
const leadsMsMax = leaseMs / 4

export function sharedOf({ pool, instance, changes, locks }: SharedParts): Shared {
  return {
    admit: gathered<Count, readonly RateAdmission[]>(counts =>
      inStatement(pool, connection => admitAll(connection, counts), 0),
    ),

    slowDown: ({ lineId }) =>
      inTransaction(pool, 'read committed', async ({ query }) => {
        await query('INSERT INTO line_paces (line_id) VALUES ($1) ON CONFLICT DO NOTHING', [lineId])
        const pace = await first(
          query<{ perSecond: number; slowdown: number; slowedAt: number | null; now: number }>(
            `SELECT per_second::float8 AS "perSecond", slowdown::float8 AS slowdown, slowed_at::float8 AS "slowedAt",
               ${databaseNow}::float8 AS now
             FROM line_paces JOIN lines ON lines.id = line_id WHERE line_id = $1 FOR UPDATE OF line_paces`,
            [lineId],
          ),
        )
        if (!pace) return
        const { perSecond, slowdown: divisor, slowedAt, now } = pace
        const before = slowedAt === null ? fullPace : { divisor, slowedAt }
        const after = slowed(before, perSecond, now)
        if (after === before) return
        await query('UPDATE line_paces SET slowdown = $2, slowed_at = $3 WHERE line_id = $1', [
          lineId,
          after.divisor,
          after.slowedAt,
        ])
      }),

    async pause({ scope, id, ms }) {
      const [table, key] = scope === 'line' ? ['line_paces', 'line_id'] : ['channel_pauses', 'channel_id']
      await inTransaction(pool, 'read committed', ({ query }) =>
        query(
          `INSERT INTO ${table} AS known (${key}, paused_until) VALUES ($1, ${databaseNow} + $2::bigint)
           ON CONFLICT (${key}) DO UPDATE SET paused_until = greatest(known.paused_until, excluded.paused_until)`,
          [id, ms],
        ),
      )
    },

    async leads() {
      if (instance === null) return false
      try {
        const led = await reading(
          pool,
          () =>
            pool.query(
              `INSERT INTO leases (name, instance_seq, expires_at)
             SELECT $1, seq, ${databaseNow} + ${leaseMs} FROM instances WHERE seq = $2
             ON CONFLICT (name) DO UPDATE SET instance_seq = excluded.instance_seq, expires_at = excluded.expires_at
               WHERE NOT (${isInForce('leases.expires_at')}) OR leases.instance_seq = excluded.instance_seq
             RETURNING name`,
              [jobsLease, instance.seq],
            ),
          leadsMsMax,
        )
        return led.length > 0
      } catch {
        return false
      }
    },

    claimWebhooks: async ({ isReady }) =>
      instance === null ? { ids: [], surplus: 0 } : claimWebhooks(pool, instance, isReady),

    async releaseWebhooks({ endpointIds }) {
      if (instance !== null) await releaseWebhooks(pool, instance, endpointIds)
    },

    locks: () => locks.read(),

    announce: changed => changes.announce(changed),
    watch: onChanges => changes.watch(onChanges),
  }
}
