import { acceptanceVerbs } from '../../../db/postgres/acceptance.ts'
import { Changes } from '../../../db/postgres/changes.ts'
import { handOverVerbs } from '../../../db/postgres/handOver.ts'
import { Instance } from '../../../db/postgres/instances.ts'
import { LockWatch } from '../../../db/postgres/locks.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { Orphans } from '../../../db/postgres/orphans.ts'
import { Validity } from '../../../db/postgres/pace.ts'
import { sharedOf } from '../../../db/postgres/shared.ts'
import { takeoverVerbs } from '../../../db/postgres/takeover.ts'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { channel, line, t0 } from '../fixtures.ts'
import type { PostgresDatabase } from './database.ts'

/** Connections of one instance in a test: the server of a test has a hundred for all. */
const connectionsMax = 6

export type TestInstance = Awaited<ReturnType<typeof openInstance>>

/**
 * The verbs of an instance of the gateway that sends, on the database of a test.
 * It has been heard for long.
 * @param clock one that stands still: the instance does not say that it lives
 */
export async function openInstance(url: string, clock: Clock = systemClock) {
  const pool = openPool(url, connectionsMax)
  const instance = await Instance.start({ pool, name: 'test', clock, log: silentLogger })
  await pool.query('UPDATE instances SET heard_since = 0 WHERE seq = $1', [instance.seq])
  const changes = new Changes({ pool, instance, clock, log: silentLogger })
  const parts = { pool, instance, orphans: new Orphans(), validity: new Validity(), clock, keepsContents: true }
  return {
    ...parts,
    ...acceptanceVerbs(parts),
    ...handOverVerbs(parts),
    ...takeoverVerbs(parts),
    shared: sharedOf({ pool, instance, changes, locks: new LockWatch({ url, clock, log: silentLogger }) }),
    /** As after a kill: the time of its lease is over. */
    expire: () => pool.query('UPDATE instances SET expires_at = 0 WHERE seq = $1', [instance.seq]),
    async close() {
      changes.stop()
      await instance.stop()
      await pool.close()
    },
  }
}

/** A workspace with a key, a channel and lines. */
export async function seedSending(
  { pool, verbs }: PostgresDatabase,
  fields: { monthlyMessageLimit?: number | null; perSecond?: number; lineIds?: readonly string[] } = {},
): Promise<void> {
  const { monthlyMessageLimit = null, perSecond = 0, lineIds = ['line_1'] } = fields
  await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit, createdAt: t0 })
  await verbs.connectChannel(channel())
  for (const [at, id] of lineIds.entries()) {
    const { number, createdAt } = line()
    await pool.query(
      `INSERT INTO lines (id, workspace_id, channel_id, upstream_phone_id, number, active, per_second, pair_seconds, created_at)
       VALUES ($1, 'ws_1', 'chan_1', $2, $3, true, $4, 0, $5)`,
      [id, String(at), number, perSecond, createdAt],
    )
  }
  await pool.query(
    `INSERT INTO api_keys (id, workspace_id, secret_hash, scope, created_at) VALUES ('pk_seed', 'ws_1', 'h', 'pk_seed', $1)`,
    [t0],
  )
}
