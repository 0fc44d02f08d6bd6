import type { Clock } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { type Applied, MOVE_MARK } from '../migrations.ts'
import { migrate } from '../postgres/migrate.ts'
import { MIGRATIONS } from '../postgres/migrations/list.ts'
import { type Connection, connectionOf, jsonRows, openPool } from '../postgres/open.ts'
import { inTransaction, rareEndMsMax } from '../postgres/transaction.ts'
import { first } from '../rules/engine.ts'
import type { Source, Target } from './sides.ts'
import { type ColumnKind, columnList, type MovedColumn, type MovedRow, type MovedTable, movedTables } from './tables.ts'

/**
 * Runs the work on a snapshot of a database: later writes are not seen.
 * @param url with user and password
 * @param place names the database, without secrets
 */
export async function withServerSource<Result>(
  { url, place }: { url: string; place: string },
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const pool = openPool(url, 1)
  try {
    return await pool.client.begin('isolation level repeatable read read only', async transaction => {
      const connection = connectionOf(transaction)
      // The other side may take long between two reads.
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0')
      const reads = readsOf(connection)
      const began = (await reads.hasMigrations())
        ? await connection.query('SELECT name, applied_at::text AS at FROM migrations ORDER BY name')
        : []
      return work({ identity: sha256(JSON.stringify([place, began])), ...reads })
    })
  } finally {
    await pool.close()
  }
}

/** @param url of an existing database, with user and password */
export function openServerTarget(url: string, clock: Clock) {
  const pool = openPool(url, 1)
  const { query } = pool
  const writing = <Result>(work: (connection: Connection) => Promise<Result>) =>
    inTransaction(pool, 'read committed', work, { endMsMax: rareEndMsMax })
  return {
    ...readsOf(pool),
    migrate: () => migrate(pool, clock.now()),
    async lastKey(table) {
      const order = table.key.map(({ name }) => `${table.name}.${name} DESC`).join(', ')
      const rows = await query<NamedRow>(`SELECT ${selected(table.key)} FROM ${table.name} ORDER BY ${order} LIMIT 1`)
      return rowsOf(table.key, rows)[0] ?? null
    },
    async append(table, rows) {
      const values = table.columns.map(({ name, kind }) => (kind === 'bytes' ? `decode(${name}, 'hex')` : name))
      const shape = table.columns.map(({ name, kind }) => `${name} ${jsonTypes[kind]}`)
      const insert = `INSERT INTO ${table.name} (${columnList(table.columns)})
        SELECT ${values.join(', ')} FROM json_to_recordset($1::text::json) AS x (${shape.join(', ')})`
      const named = rows.map(row => Object.fromEntries(table.columns.map(({ name }, at) => [name, row[at]])))
      await writing(connection => connection.query(insert, [jsonRows(named)]))
    },
    async reserve(identity) {
      await writing(connection =>
        connection.query('INSERT INTO migrations (name, sha256, applied_at) VALUES ($1, $2, $3)', [
          MOVE_MARK,
          identity,
          clock.now(),
        ]),
      )
    },
    async release() {
      await writing(async connection => {
        for (const table of movedTables) {
          await setNumbers(connection, table)
          // Else the server would plan the first minutes as if the tables were empty.
          await connection.query(`ANALYZE ${table.name}`)
        }
        await connection.query('DELETE FROM migrations WHERE name = $1', [MOVE_MARK])
      })
    },
    close: () => pool.close(),
  } satisfies Target & { close(): Promise<void> }
}

/** New rows get numbers after those that were copied. */
async function setNumbers({ query }: Connection, { name, key }: MovedTable): Promise<void> {
  const numbered = await query<{ column: string }>(
    `SELECT column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'`,
    [name],
  )
  for (const { column } of numbered.filter(({ column }) => key.some(each => each.name === column))) {
    await query(
      `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), greatest) FROM (
         SELECT max(${column}) AS greatest FROM ${name}) AS numbers WHERE greatest IS NOT NULL`,
    )
  }
}

const jsonTypes: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  number: 'bigint',
  boolean: 'boolean',
  bytes: 'text',
}

type NamedRow = Readonly<Record<string, string | number | boolean | null>>

/** A bigint comes as text. All of ours fit a double, which comes as a number. */
const selected = (columns: readonly MovedColumn[]) =>
  columns
    .map(({ name, kind }) => {
      if (kind === 'number') return `${name}::float8 AS ${name}`
      return kind === 'bytes' ? `encode(${name}, 'hex') AS ${name}` : name
    })
    .join(', ')

const rowsOf = (columns: readonly MovedColumn[], rows: readonly NamedRow[]): MovedRow[] =>
  rows.map(row => columns.map(({ name }) => row[name] ?? null))

function readsOf({ query }: Connection) {
  const hasMigrations = async () =>
    (await first(query<{ isThere: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS "isThere"`)))?.isThere ===
    true
  return {
    migrations: MIGRATIONS,
    hasMigrations,
    applied: async (): Promise<readonly Applied[]> =>
      (await hasMigrations()) ? query<Applied>('SELECT name, sha256 FROM migrations') : [],
    // Only the database's owner can make triggers, rules or functions on a server. They are not copied: only rows are,
    // read in a read-only transaction, and both sides are compared by their rows.
    difference: async () => null,
    count: async ({ name }: MovedTable) =>
      (await first(query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${name}`)))?.count ?? 0,
    async rows(
      { name, columns, key }: MovedTable,
      after: MovedRow | null,
      limit: number,
    ): Promise<readonly MovedRow[]> {
      const places = key.map(({ kind }, at) => `$${at + 1}::${jsonTypes[kind]}`).join(', ')
      const condition = after === null ? '' : `WHERE (${columnList(key)}) > (${places})`
      // The table is named with its columns: else the sort would use the output column of the same name.
      const order = key.map(column => `${name}.${column.name}`).join(', ')
      const select = `SELECT ${selected(columns)} FROM ${name} ${condition} ORDER BY ${order} LIMIT ${limit}`
      return rowsOf(columns, await query<NamedRow>(select, after ?? []))
    },
  }
}
