import { type EpochMs, moment } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { minuteMs } from '../../src/base/durations.ts'
import {
  type Applied,
  checkApplied,
  type LastUpgrade,
  type MigrationNews,
  type RunningMigration,
  stepOf,
  type Upgrade,
  upgradeName,
  versionName,
} from '../migrations.ts'
import { first } from '../rules/engine.ts'
import { isInForce, leaseMs } from './instances.ts'
import { MIGRATIONS } from './migrations/list.ts'
import type { Connection, Pool } from './open.ts'
import { inTransaction } from './transaction.ts'

/** The lines of a function are indented, and belong to the statement that makes it. */
const statementEnd = /;\n(?!\n* )/

/** Older ones are not tested, and PostgreSQL ends their support in November 2026. */
export const serverVersionMin = 15

/** Both are the same to PostgreSQL. */
const isolations = new Set(['read committed', 'read uncommitted'])

/** The number of this advisory lock. `waypost` in ASCII. */
const migrationLock = 0x776179706f7374

/** Tables with millions of rows may be rewritten, here or by another instance. */
const migrationMsMax = 30 * minuteMs

/**
 * Brings the database to this version's schema, wholly or not at all. Of several instances that start at once, one does
 * it and the others wait.
 * @param how `version`: stored as the one that used the database last. `besideInstances`: migrates also while instances
 *   run on an older schema; by default that is refused. `tell`: told of the migration of an older database
 * @throws SchemaMismatch when the database knows a migration that this version does not, or one that has changed since
 * @throws Error with a sentence for the operator when the server is too old, or the database cannot be used as it is
 *   set up
 */
export async function migrate(
  pool: Pool,
  now: EpochMs,
  migrations = MIGRATIONS,
  how: { version?: string; besideInstances?: boolean; tell?: (news: MigrationNews) => void } = {},
): Promise<void> {
  const { version, besideInstances = false, tell = () => {} } = how
  const isMigrated = await inTransaction(
    pool,
    'read committed',
    async ({ query }) => {
      await checkServer(query)
      await query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
      await query(
        'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, sha256 text NOT NULL, ' +
          'applied_at bigint NOT NULL)',
      )
      const applied = await query<Applied>('SELECT name, sha256 FROM migrations ORDER BY name')
      checkApplied(applied, migrations)
      const pending = migrations.filter(({ name }) => !applied.some(row => row.name === name))
      const last = applied.at(-1)
      const isUpgrade = last !== undefined && pending.length > 0
      if (isUpgrade) {
        if (!besideInstances) await refuseBesideInstances(query)
        const [from, to] = [(await versionOf(query)) ?? last.name, version ?? '']
        await endWithThisProcess(query)
        // For who looks at the server's activity: `runningMigration` in inspect.ts.
        await query("SELECT set_config('application_name', $1, true)", [activityOf({ from, to })])
        const { bytes } = await sizeOf(query)
        const names = pending.map(({ name }) => name)
        tell({ kind: 'begins', upgrade: { from, to, migrations: names, bytes, copy: null } })
      }
      for (const [at, { name, sql }] of pending.entries()) {
        if (isUpgrade) tell({ kind: 'step', step: stepOf(name, at, pending) })
        for (const statement of sql.split(statementEnd)) if (statement.trim() !== '') await query(statement)
        await query('INSERT INTO migrations (name, sha256, applied_at) VALUES ($1, $2, $3)', [name, sha256(sql), now])
      }
      if (version !== undefined && (await versionOf(query)) !== version) {
        const store =
          'INSERT INTO properties (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
        const from = last && ((await versionOf(query)) ?? last.name)
        await query(store, [versionName, version])
        const upgrade = from === undefined ? null : ({ from, to: version, at: now, copy: null } satisfies LastUpgrade)
        if (upgrade) await query(store, [upgradeName, JSON.stringify(upgrade)])
      }
      return isUpgrade
    },
    { endMsMax: migrationMsMax, waitsForLocks: true },
  )
  if (isMigrated) tell({ kind: 'ended' })
}

/**
 * An instance of an older version fails on a schema that it does not know, perhaps in the middle of a send.
 * @throws Error that names those that live
 */
async function refuseBesideInstances(query: Connection['query']): Promise<void> {
  const alive = await query<{ name: string; startedAt: EpochMs }>(
    `SELECT name, started_at::float8 AS "startedAt" FROM instances WHERE ${isInForce('expires_at')} ORDER BY seq`,
  )
  if (alive.length === 0) return
  const version = await versionOf(query)
  const before = version === null ? 'an older version' : `version ${version}`
  const names = alive.map(({ name, startedAt }) => `${name} (since ${moment(startedAt)} UTC)`).join(', ')
  throw new Error(
    `it has to be migrated, and gateways of ${before} run on it: ${names}. Nothing was changed. ` +
      `Stop them first; one that was killed is gone after ${leaseMs / 1_000} seconds. ` +
      'Or migrate beside them, and their sends may fail until they are replaced: waypost database migrate --force',
  )
}

/** @returns the version that used the database last; null when none has stored that */
async function versionOf(query: Connection['query']): Promise<string | null> {
  const found = await first(query<{ value: string }>('SELECT value FROM properties WHERE name = $1', [versionName]))
  return found?.value ?? null
}

/**
 * When this process ends, the server ends a long statement of it within seconds, and with it the transaction. Not every
 * system of a server can.
 */
const endWithThisProcess = (query: Connection['query']) =>
  query(
    `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '2s', true);
       EXCEPTION WHEN OTHERS THEN NULL; END $$`,
  )

async function sizeOf(query: Connection['query']): Promise<{ bytes: number }> {
  const size = await first(query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes'))
  return size ?? { bytes: 0 }
}

/**
 * Any other encoding lacks characters that users write: their messages would fail one by one. Single-statement
 * transactions have the default isolation, and lock the rows that they decide on: after waiting for a lock they must
 * see its result. Connections cannot set it when they are opened: PgBouncer refuses that.
 */
async function checkServer(query: Connection['query']): Promise<void> {
  const server = await first(
    query<{ version: string; encoding: string; isolation: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
         current_setting('default_transaction_isolation') AS isolation`,
    ),
  )
  if (Number.parseInt(server?.version ?? '', 10) < serverVersionMin)
    throw new Error(`PostgreSQL ${server?.version} is too old: version ${serverVersionMin} or later is needed`)
  if (server?.encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${server?.encoding}, which lacks characters that users write. Make one with UTF8: ` +
        "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
    )
  if (!isolations.has(server.isolation))
    throw new Error(
      `its default_transaction_isolation is '${server.isolation}', with which a status of a message may be missed. ` +
        "Set it for the gateway's user: ALTER ROLE … IN DATABASE … " +
        "SET default_transaction_isolation = 'read committed'",
    )
}

/*
 * While a transaction migrates, its `application_name` says so: it is shown to others at once, and ends with the
 * transaction, also when the process is killed. It may have 63 bytes.
 */

const activityOf = ({ from, to }: Pick<Upgrade, 'from' | 'to'>): string => `waypost migrates ${from} to ${to}`

/** Finds the transaction: when it began, and its `application_name`. */
export const findMigration = `
  SELECT application_name AS activity, (extract(epoch FROM xact_start) * 1000)::float8 AS since FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'waypost migrates %' AND xact_start IS NOT NULL LIMIT 1`

/** @returns what a row of `findMigration` says */
export function migrationOf({ activity, since }: { activity: string; since: EpochMs }): RunningMigration {
  const [, , from = '', , to = ''] = activity.split(' ')
  return { since, from, to }
}
