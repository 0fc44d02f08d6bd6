import type { EpochMs } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import type { LockHolder } from '../contract/shared.ts'
import { type Applied, checkApplied, pendingOf, type RunningMigration } from '../migrations.ts'
import { first } from '../rules/engine.ts'
import { isInForce } from './instances.ts'
import { holdersOn } from './locks.ts'
import { findMigration, migrationOf } from './migrate.ts'
import { MIGRATIONS } from './migrations/list.ts'
import { openPool, type Pool } from './open.ts'
import { pathAdvice, reading } from './transaction.ts'

/** A gateway process that is registered in the database. */
export interface KnownInstance {
  /** Host and process. */
  readonly name: string
  readonly startedAt: EpochMs
  readonly isAlive: boolean
}

/** The server's data about itself and its database. Reading it changes nothing. */
export interface ServerInspection {
  /** `15.4 (Debian …)`. */
  readonly version: string
  /** Nothing of Waypost was ever stored in it. */
  readonly isEmpty: boolean
  /** Null: this version can use it. */
  readonly mismatch: string | null
  /** Migrations that the next start will run. */
  readonly pending: readonly string[]
  /** The names of its properties. */
  readonly properties: readonly string[]
  readonly instances: readonly KnownInstance[]
  /** Null: no process migrates it. Else nothing above is known: a migration holds locks that reads would wait for. */
  readonly migration: RunningMigration | null
  /** Who holds locks that sends wait for. While tables are locked nothing else is known, as with a migration. */
  readonly lockHolders: readonly LockHolder[]
  /** How many instances have ever started on it, including those that are gone. */
  readonly starts: number
}

/**
 * Looks at a database without migrating it.
 * @param url with user and password
 * @throws Unavailable when the server cannot be reached, refuses the user or does not answer
 */
export const inspectServer = (url: string): Promise<ServerInspection> => ask(url, inspect)

/**
 * @returns the milliseconds that a write takes until it is on the server's disk. The write leaves no trace
 * @throws Unavailable as `inspectServer`, and when the server takes no writes
 */
export const timeServerWrite = (url: string): Promise<number> => ask(url, timeWrite)

async function ask<Answer>(url: string, question: (pool: Pool) => Promise<Answer>): Promise<Answer> {
  const pool = openPool(url, 1)
  try {
    return await reading(pool, () => question(pool))
  } finally {
    await pool.close()
  }
}

const unknown = { isEmpty: false, mismatch: null, pending: [], properties: [], instances: [], starts: 0 }

/** @returns whether a table is locked as a whole: reads of it may wait */
export const hasLockedTable = ({ lockHolders }: Pick<ServerInspection, 'lockHolders'>) =>
  lockHolders.some(({ locks }) => locks !== null)

async function inspect({ query }: Pool): Promise<ServerInspection> {
  const server = await first(query<{ version: string }>("SELECT current_setting('server_version') AS version"))
  const underWay = await first(query<{ activity: string; since: EpochMs }>(findMigration))
  const version = server?.version ?? ''
  if (underWay) return { ...unknown, version, migration: migrationOf(underWay), lockHolders: [] }
  const lockHolders = await holdersOn({ query })
  if (hasLockedTable({ lockHolders })) return { ...unknown, version, migration: null, lockHolders }
  const path = await first(query<{ isLost: boolean }>('SELECT current_schema() IS NULL AS "isLost"'))
  if (path?.isLost) throw new Unavailable(pathAdvice)
  const hasTable = async (name: string) =>
    (await first(query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [name])))?.isThere ===
    true
  const applied = (await hasTable('migrations')) ? await query<Applied>('SELECT name, sha256 FROM migrations') : []
  const properties = (await hasTable('properties')) ? await query<{ name: string }>('SELECT name FROM properties') : []
  // Read before the live instances: one that starts between the two reads is found by the second.
  const started = await first(
    query<{ count: number | null }>("SELECT pg_sequence_last_value(to_regclass('instances_seq_seq'))::float8 AS count"),
  )
  const instances = (await hasTable('instances'))
    ? await query<KnownInstance>(
        `SELECT name, started_at::float8 AS "startedAt",
           ${isInForce('expires_at')} AS "isAlive"
         FROM instances ORDER BY seq`,
      )
    : []
  return {
    version,
    lockHolders,
    isEmpty: applied.length === 0,
    mismatch: mismatchOf(applied),
    pending: pendingOf(applied, MIGRATIONS),
    properties: properties.map(({ name }) => name),
    instances,
    migration: null,
    starts: started?.count ?? 0,
  }
}

function mismatchOf(applied: readonly Applied[]): string | null {
  try {
    checkApplied(applied, MIGRATIONS)
    return null
  } catch (cause) {
    return messageOf(cause)
  }
}

/**
 * A message that no table keeps goes to the log of the server, and the commit waits for the disk as that of a send
 * does. A server that only reads refuses it.
 */
async function timeWrite({ client }: Pool): Promise<number> {
  const startedAt = performance.now()
  await client.begin(async transaction => {
    await transaction.unsafe('SET LOCAL synchronous_commit = on')
    await transaction.unsafe("SELECT pg_logical_emit_message(true, 'waypost', 'doctor')")
  })
  return performance.now() - startedAt
}
