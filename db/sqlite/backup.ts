import { Database, SQLiteError } from 'bun:sqlite'
import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { giveToOwnerOf, spareBytes, syncToDisk } from '../../src/base/durable.ts'
import { messageOf } from '../../src/base/errors.ts'
import { MIGRATIONS } from '../migrations/list.ts'
import { checkApplied, pendingOf } from '../migrations.ts'
import { commandBusyMs } from './busy.ts'
import { appliedMigrations } from './migrate.ts'
import { waitFor } from './open.ts'
import { schemaDifferences } from './schemaDifferences.ts'

/** Owner alone: a backup holds phone numbers and sealed secrets. */
const backupMode = 0o600
/** Another process that has the file open keeps it open while it runs: waiting longer does not help. */
const probeMs = 200

/** There is too little room for a copy. The message says how much is needed and where. */
class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * Whether a copy fits into a folder, asked before a byte is written: a copy that fills the disk would stop sends.
 * @param spare left free beside it
 * @throws NoRoom
 */
export function checkRoom(path: string, folder: string, spare = spareBytes): void {
  const needed = compactBytes(path) + spare
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= needed) return
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576).toLocaleString('en-US')
  throw new NoRoom(
    `a copy of the database needs ${megabytes(needed)} MiB, and ${megabytes(bavail * bsize)} MiB are free in ${folder}`,
  )
}

/** Reads a file as it is. */
function reading<Result>(path: string, read: (client: Database) => Result): Result {
  const client = new Database(path, { readonly: true, strict: true })
  try {
    waitFor(client, commandBusyMs)
    return read(client)
  } finally {
    client.close()
  }
}

const numberOf = (client: Database, statement: string) => Number(client.query(statement).values()[0]?.[0] ?? 0)

/** @returns how large a copy is at most: a copy has no free pages. */
const compactBytes = (path: string): number =>
  reading(path, client => {
    const pragma = (name: string) => numberOf(client, `PRAGMA ${name}`)
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
  })

/** @returns how many messages a file holds: reads a copy as its restore would. */
export const countMessages = (path: string): number =>
  reading(path, client => numberOf(client, 'SELECT count(*) FROM messages'))

/**
 * @returns the names of the migrations that an open of the file would run; none for a file without any table of ours
 */
export const pendingMigrations = (path: string): string[] =>
  reading(path, client => {
    const applied = hasTable(client, 'migrations') ? appliedMigrations(client) : []
    return applied.length === 0 ? [] : pendingOf(applied, MIGRATIONS)
  })

/**
 * Writes a consistent copy of the database as one file, also while a gateway runs. It belongs to the database's owner,
 * who is to restore it.
 * @throws Error EEXIST when `to` exists: a backup never overwrites another
 */
export function copyDatabase(path: string, to: string): void {
  // `VACUUM INTO` accepts an empty file. It is made first, so that its owner and rights are right from the beginning.
  closeSync(openSync(to, 'wx', backupMode))
  giveToOwnerOf(path, to)
  try {
    reading(path, client => client.query('VACUUM INTO ?').run(to))
    // SQLite does not sync the copy. A reported backup must survive a power cut.
    syncToDisk(to)
    syncToDisk(dirname(to))
  } catch (cause) {
    // SQLite leaves the second one where it could not be removed.
    for (const name of [to, `${to}-journal`]) rmSync(name, { force: true })
    throw cause
  }
}

export interface Inspection {
  /** Null: the file is sound. Else the first thing that is wrong with it. */
  readonly damage: string | null
  /** Null: the file could be read. Else the obstacle, which says nothing about the file itself. */
  readonly obstacle: string | null
  /** Null: this version can use it. */
  readonly mismatch: string | null
  /** Null: its schema is what its migrations make, with nothing else that could act on written data. */
  readonly difference: string | null
  /** Migrations that the next start will run. */
  readonly pending: readonly string[]
  /** The names of its properties. */
  readonly properties: readonly string[]
}

const blank: Inspection = {
  damage: null,
  obstacle: null,
  mismatch: null,
  difference: null,
  pending: [],
  properties: [],
}

/** SQLite's codes for a damaged file. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/

export const isDamage = (cause: unknown): boolean => cause instanceof SQLiteError && damageCodes.test(cause.code ?? '')

/**
 * Inspects a database file without changing it.
 * @param depth `quick` does not compare indexes with tables, which would read everything twice
 */
export function inspectDatabase(path: string, depth: 'quick' | 'full'): Inspection {
  try {
    return reading(path, client => {
      const check = depth === 'quick' ? 'PRAGMA quick_check(1)' : 'PRAGMA integrity_check(1)'
      const [verdict = 'no answer'] = client.query<Record<string, string>, []>(check).all().flatMap(Object.values)
      return verdict === 'ok' ? inspectContent(client) : { ...blank, damage: String(verdict) }
    })
  } catch (cause) {
    const why = messageOf(cause)
    return isDamage(cause) ? { ...blank, damage: why } : { ...blank, obstacle: why }
  }
}

const hasTable = (client: Database, name: string) =>
  client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null

function inspectContent(client: Database): Inspection {
  if (!hasTable(client, 'migrations')) return { ...blank, mismatch: 'This is not a database of Waypost.' }
  const applied = appliedMigrations(client)
  const pending = pendingOf(applied, MIGRATIONS)
  const properties = hasTable(client, 'properties')
    ? client.query<{ name: string }, []>('SELECT name FROM properties').all()
    : []
  const content = { ...blank, pending, properties: properties.map(({ name }) => name) }
  try {
    checkApplied(applied, MIGRATIONS)
    return { ...content, difference: schemaDifferences(client) }
  } catch (cause) {
    return { ...content, mismatch: messageOf(cause) }
  }
}

/**
 * Writes the write-ahead log into the database file, so that it can be moved as one file.
 * @returns `inUse` when another process has the file open; `damaged` when it cannot be read at all
 */
export function detachDatabase(path: string): 'detached' | 'inUse' | 'damaged' {
  let client: Database | undefined
  try {
    client = new Database(path, { readwrite: true, create: false, strict: true })
    waitFor(client, probeMs)
    // Leaving WAL mode locks the whole file. The next writer sets WAL mode again.
    client.query('PRAGMA journal_mode = DELETE').get()
    return 'detached'
  } catch (cause) {
    return cause instanceof SQLiteError && cause.code?.startsWith('SQLITE_BUSY') ? 'inUse' : 'damaged'
  } finally {
    client?.close()
  }
}
