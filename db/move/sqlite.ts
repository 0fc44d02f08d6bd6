import type { Database, SQLQueryBindings } from 'bun:sqlite'
import type { Clock } from '../../src/clock.ts'
import { sha256 } from '../../src/crypto.ts'
import { type Applied, MOVE_MARK } from '../migrations.ts'
import { storableText } from '../postgres/open.ts'
import { databaseFile } from '../sqlite/lock.ts'
import { appliedMigrations, MIGRATIONS, migrate } from '../sqlite/migrate.ts'
import { closeWriter, openForReading, openForWriting } from '../sqlite/open.ts'
import { schemaDifferences } from '../sqlite/schemaDifferences.ts'
import type { Source, Target } from './sides.ts'
import { listOf, type MovedTable, type Row, type Value } from './tables.ts'

/** A file as it is now: what commands write meanwhile is not seen. The caller keeps gateways away from it. */
export function openFileSource(path: string) {
  const { client } = openForReading(path)
  client.run('BEGIN')
  const began = hasMigrations(client)
    ? client.query<{ name: string; applied_at: number }, []>('SELECT name, applied_at FROM migrations').all()
    : []
  return {
    identity: sha256(JSON.stringify([databaseFile(path), began])),
    ...readsOf(client),
    close: () => client.close(),
  } satisfies Source & { close(): void }
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
      const keys = listOf(table.key)
      const last = client.query(`SELECT ${keys} FROM ${table.name} ORDER BY ${descending(table)} LIMIT 1`).values()[0]
      return last ? table.key.map(({ kind }, at) => read(kind, last[at])) : null
    },
    async append(table, rows) {
      const places = table.columns.map(({ kind }) => (kind === 'bytes' ? 'unhex(?)' : '?')).join(', ')
      const insert = client.query(`INSERT INTO ${table.name} (${listOf(table.columns)}) VALUES (${places})`)
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
    async rows(table, after, limit): Promise<readonly Row[]> {
      const { name, columns } = table
      const keys = listOf(table.key)
      const places = table.key.map(() => '?').join(', ')
      const condition = after === null ? '' : `WHERE (${keys}) > (${places})`
      const select = `SELECT ${listOf(columns)} FROM ${name} ${condition} ORDER BY ${keys} LIMIT ${limit}`
      const bindings: SQLQueryBindings[] = after === null ? [] : [...after]
      const rows: unknown[][] = client.query(select).values(...bindings)
      return rows.map(row => columns.map(({ kind }, at) => read(kind, row[at])))
    },
  }
}

function read(kind: MovedTable['columns'][number]['kind'], value: unknown): Value {
  if (value instanceof Uint8Array) return value.toHex()
  if (kind === 'boolean') return value === 1
  // PostgreSQL keeps no NUL: what has one is stored there with a sign in its place, and is compared so.
  if (typeof value === 'string') return storableText(value)
  return typeof value === 'number' ? value : null
}
