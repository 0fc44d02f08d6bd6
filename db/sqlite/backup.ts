import { Database, SQLiteError } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncToDisk } from '../../src/durable.ts'
import { appliedMigrations, checkApplied, MIGRATIONS } from './migrate.ts'

/** Owner alone: a backup holds phone numbers and sealed secrets. */
const backupMode = 0o600
/** Another process that holds the file does so for as long as it runs; waiting longer tells nothing more. */
const probeMs = 200

/**
 * Writes a consistent copy of the database as one file, beside a running gateway or not.
 * @throws Error EEXIST when `to` exists: a backup never overwrites another
 */
export function copyDatabase(path: string, to: string): void {
  // `VACUUM INTO` takes an empty file; making it first settles at once whose it is and who may read it.
  closeSync(openSync(to, 'wx', backupMode))
  try {
    const client = new Database(path, { readonly: true, strict: true })
    try {
      client.query('VACUUM INTO ?').run(to)
    } finally {
      client.close()
    }
    // SQLite does not wait for the disk when it writes a copy; a backup that is reported is one that stays.
    syncToDisk(to)
    syncToDisk(dirname(to))
  } catch (cause) {
    rmSync(to, { force: true })
    throw cause
  }
}

export interface Inspection {
  /** Null: the file is sound. Else the first thing that is wrong with it. */
  readonly damage: string | null
  /** Null: this version can work with it. */
  readonly mismatch: string | null
  /** Migrations that the next start will run. */
  readonly pending: readonly string[]
}

/**
 * Looks at a database file without changing it.
 * @param depth `quick` leaves out the comparison of indexes with tables, which reads everything twice
 */
export function inspectDatabase(path: string, depth: 'quick' | 'full'): Inspection {
  const wrong = (damage: string): Inspection => ({ damage, mismatch: null, pending: [] })
  try {
    const client = new Database(path, { readonly: true, strict: true })
    try {
      const check = depth === 'quick' ? 'PRAGMA quick_check(1)' : 'PRAGMA integrity_check(1)'
      const [verdict = 'no answer'] = client.query<Record<string, string>, []>(check).all().flatMap(Object.values)
      return verdict === 'ok' ? inspectMigrations(client) : wrong(String(verdict))
    } finally {
      client.close()
    }
  } catch (cause) {
    return wrong(cause instanceof Error ? cause.message : String(cause))
  }
}

function inspectMigrations(client: Database): Inspection {
  const hasTable = client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get()
  if (hasTable === null) return { damage: null, mismatch: 'This is not a database of Waypost.', pending: [] }
  const applied = appliedMigrations(client)
  const pending = MIGRATIONS.map(({ name }) => name).filter(name => !applied.some(row => row.name === name))
  try {
    checkApplied(applied)
    return { damage: null, mismatch: null, pending }
  } catch (cause) {
    return { damage: null, mismatch: cause instanceof Error ? cause.message : String(cause), pending }
  }
}

/**
 * Folds the write-ahead log into the file, so that it can be moved as one.
 * @returns `inUse` when another process has the file open; `damaged` when it cannot be read at all
 */
export function detachDatabase(path: string): 'detached' | 'inUse' | 'damaged' {
  let client: Database | undefined
  try {
    client = new Database(path, { readwrite: true, create: false, strict: true })
    client.run(`PRAGMA busy_timeout = ${probeMs}`)
    // Leaving WAL takes the whole file for itself; the next writer goes back to it.
    client.query('PRAGMA journal_mode = DELETE').get()
    return 'detached'
  } catch (cause) {
    return cause instanceof SQLiteError && cause.code?.startsWith('SQLITE_BUSY') ? 'inUse' : 'damaged'
  } finally {
    client?.close()
  }
}
