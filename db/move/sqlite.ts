import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { syncToDisk } from '../../src/base/durable.ts'
import { MIGRATIONS } from '../migrations/list.ts'
import { type Applied, MOVE_MARK, movedFrom } from '../migrations.ts'
import { storableText } from '../postgres/open.ts'
import { keepAside } from '../sqlite/aside.ts'
import { detachDatabase } from '../sqlite/backup.ts'
import { commandBusyMs } from '../sqlite/busy.ts'
import { databaseFile } from '../sqlite/lock.ts'
import { WriterMemory } from '../sqlite/memory.ts'
import { appliedMigrations, migrate } from '../sqlite/migrate.ts'
import { type Connection, closeWriter, openForReading, openForWriting } from '../sqlite/open.ts'
import { schemaDifferences } from '../sqlite/schemaDifferences.ts'
import { countMark } from '../sqlite/uncounted.ts'
import type { Source, Target } from './sides.ts'
import { columnList, type MovedRow, type MovedTable, type Value } from './tables.ts'

/**
 * A file as it is at one moment. The newest messages are counted in it, because no other database knows their mark.
 * That is done in a transaction, which is undone at the end: so the file stays as it was, also after a move that fails.
 * Nobody else writes to the file meanwhile. The caller keeps gateways away from it.
 */
export function openFileSource(path: string) {
  const { client } = isOfThisVersion(path) ? openCounted(path) : openForReading(path)
  const began = hasMigrations(client)
    ? client.query<{ name: string; applied_at: number }, []>('SELECT name, applied_at FROM migrations').all()
    : []
  return {
    identity: sha256(JSON.stringify([databaseFile(path), began])),
    ...readsOf(client),
    close: () => client.close(),
  } satisfies Source & { close(): void }
}

/** Another one is refused before it is read. */
function isOfThisVersion(path: string): boolean {
  const { client } = openForReading(path)
  try {
    return hasMigrations(client) && appliedMigrations(client).length === MIGRATIONS.length
  } finally {
    client.close()
  }
}

function openCounted(path: string): Connection {
  const connection = openForWriting(path, commandBusyMs)
  const { client } = connection
  try {
    // What is changed stays in memory, on a full disk too.
    client.run('PRAGMA cache_spill = OFF')
    client.run('BEGIN IMMEDIATE')
    new WriterMemory(client).countAll()
    countMark(client).remove()
    return connection
  } catch (cause) {
    client.close()
    throw cause
  }
}

/**
 * Renames the database of the file, so that a new one can be made there. The target of an unfinished move stays. The
 * caller keeps gateways away from it; other commands do not take that lock.
 * @returns the new path; null when there is no database
 * @throws Error with a sentence for the operator: also when the file is no database at all
 */
export function moveAside(path: string, clock: Clock): string | null {
  if (!existsSync(path) || !isWhole(path)) return null
  const database = databaseFile(path)
  if (detachDatabase(database) === 'inUse') {
    throw new Error(`The database ${path} is in use by another command: try again`)
  }
  const aside = keepAside(database, clock.now())
  rmSync(database, { force: true })
  syncToDisk(dirname(database))
  return aside
}

/** @returns whether it is a usable database of Waypost, not the target of an unfinished move */
function isWhole(path: string): boolean {
  const { client } = openForReading(path)
  try {
    return hasMigrations(client) && movedFrom(appliedMigrations(client)) === null
  } finally {
    client.close()
  }
}

/** A file, which is made where it is absent. */
export function openFileTarget(path: string, clock: Clock) {
  const connection = openForWriting(path)
  const { client } = connection
  return {
    ...readsOf(client),
    async migrate() {
      migrate(client, clock.now())
    },
    async lastKey(table) {
      const keys = columnList(table.key)
      const last = client.query(`SELECT ${keys} FROM ${table.name} ORDER BY ${descending(table)} LIMIT 1`).values()[0]
      return last ? table.key.map(({ kind }, at) => read(kind, last[at])) : null
    },
    async append(table, rows) {
      const places = table.columns.map(({ kind }) => (kind === 'bytes' ? 'unhex(?)' : '?')).join(', ')
      const insert = client.query(`INSERT INTO ${table.name} (${columnList(table.columns)}) VALUES (${places})`)
      client.transaction(() => {
        for (const row of rows) insert.run(...row)
      })()
    },
    async reserve(identity) {
      const mark = 'INSERT INTO migrations (name, sha256, applied_at) VALUES (?, ?, ?)'
      client.run(mark, [MOVE_MARK, identity, clock.now()])
    },
    async release() {
      client.run('DELETE FROM migrations WHERE name = ?', [MOVE_MARK])
    },
    close: () => closeWriter(connection),
  } satisfies Target & { close(): void }
}

const hasMigrations = (client: Database) =>
  client.query("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get() !== null

const descending = ({ key }: MovedTable) => key.map(({ name }) => `${name} DESC`).join(', ')

function readsOf(client: Database): Omit<Source, 'identity'> {
  return {
    migrations: MIGRATIONS,
    applied: async (): Promise<readonly Applied[]> => (hasMigrations(client) ? appliedMigrations(client) : []),
    difference: async () => schemaDifferences(client),
    async count({ name }) {
      return client.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${name}`).get()?.count ?? 0
    },
    async rows(table, after, limit): Promise<readonly MovedRow[]> {
      const { name, columns } = table
      const keys = columnList(table.key)
      const places = table.key.map(() => '?').join(', ')
      const condition = after === null ? '' : `WHERE (${keys}) > (${places})`
      const select = `SELECT ${columnList(columns)} FROM ${name} ${condition} ORDER BY ${keys} LIMIT ${limit}`
      const bindings: SQLQueryBindings[] = after === null ? [] : [...after]
      const rows: unknown[][] = client.query(select).values(...bindings)
      return rows.map(row => columns.map(({ kind }, at) => read(kind, row[at])))
    },
  }
}

function read(kind: MovedTable['columns'][number]['kind'], value: unknown): Value {
  if (value instanceof Uint8Array) return value.toHex()
  if (kind === 'boolean') return value === 1
  // PostgreSQL cannot store NUL: texts with one are stored with a replacement character, and compared with it.
  if (typeof value === 'string') return storableText(value)
  return typeof value === 'number' ? value : null
}
