import { Database } from 'bun:sqlite'
import { MIGRATIONS } from '../migrations/list.ts'
import { appliedMigrations, migrate } from './migrate.ts'

/** A row of SQLite's list of schema objects. */
interface SchemaObject {
  /** `table`, `index`, `view` or `trigger`. */
  readonly type: string
  readonly name: string
  /** The table that it belongs to; a table's own name. */
  readonly table: string
  /** Null: SQLite made it automatically, for a key. */
  readonly sql: string | null
}

/** Tables without any effect: of SQLite's planner and of Litestream, which replicates a database. */
const tablesOfOthers: readonly string[] = [
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
  '_litestream_lock',
  '_litestream_seq',
]

/** Named in one sentence. A file that somebody made may have any number. */
const namedMax = 5

/**
 * Compares a file's schema with what its migrations make: a trigger acts on the gateway's writes, so one in a backup
 * could give a user any role.
 * @param client of a file whose migrations are those of this version, or the first of them
 * @returns a sentence for the operator that names what differs; null when nothing does
 */
export function schemaDifferences(client: Database): string | null {
  const applied = appliedMigrations(client)
  const expected = objectsMadeBy(MIGRATIONS.filter(({ name }) => applied.some(row => row.name === name)))
  const found = objectsOf(client).filter(({ type, name }) => type !== 'table' || !tablesOfOthers.includes(name))
  const has = (objects: readonly SchemaObject[], { type, name }: SchemaObject) =>
    objects.find(object => object.type === type && object.name === name)
  const differences = [
    ...found.flatMap(object => {
      const own = has(expected, object)
      if (!own) return [`the ${named(object)} is not of Waypost`]
      return own.sql === object.sql && own.table === object.table
        ? []
        : [`the ${named(object)} is not as Waypost makes it`]
    }),
    ...expected.flatMap(object => (has(found, object) ? [] : [`the ${named(object)} is missing`])),
  ]
  if (differences.length === 0) return null
  const shown = differences.slice(0, namedMax).join(', ')
  const others = differences.length > namedMax ? `, and ${differences.length - namedMax} more` : ''
  return (
    `Its schema is not what its migrations make: ${shown}${others}. What is not of Waypost may change what it ` +
    'stores. If you made it yourself, remove it with sqlite3, and try again.'
  )
}

/** The schema that the migrations make, and nothing else. */
function objectsMadeBy(migrations: typeof MIGRATIONS): SchemaObject[] {
  const client = new Database(':memory:', { strict: true })
  try {
    migrate(client, 0, migrations)
    return objectsOf(client)
  } finally {
    client.close()
  }
}

const objectsOf = (client: Database): SchemaObject[] =>
  client.query<SchemaObject, []>('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema ORDER BY name').all()

const named = ({ type, name, table }: SchemaObject) =>
  type === 'table' || type === 'view' ? `${type} ${quoted(name)}` : `${type} ${quoted(name)} on ${quoted(table)}`

/** The file may come from anybody: a name may hold what moves the cursor of a terminal. */
const quoted = (name: string) =>
  JSON.stringify(name).replace(/[^ -~]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
