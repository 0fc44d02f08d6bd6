import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { fieldFilters } from '../../../db/messageFields.ts'
import { ownTables } from '../../../db/sqlite/schema.ts'
import { openDatabase, seed, type TestDatabase } from '../fixtures.ts'
import { keptColumns } from '../keptColumns.ts'

let db: TestDatabase
beforeAll(() => {
  db = openDatabase()
})
afterAll(() => db.close())

const declared = Object.values(ownTables).map(table => getTableConfig(table))
const rows = <Row>(sql: string) => db.writer.client.query<Row, []>(sql).all()

test('every table is STRICT', () => {
  const tables = rows<{ name: string; strict: number }>('PRAGMA table_list').filter(
    ({ name }) => !name.startsWith('sqlite_'),
  )
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.filter(({ strict }) => strict === 0)).toEqual([])
  const written = rows<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE type = 'table'")
  for (const { sql } of written) expect(sql).toMatch(/\)\s*STRICT(, WITHOUT ROWID)?$/)
})

test('the migrations make exactly the tables of the schema, and the one that notes migrations', () => {
  const tables = rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name)
  expect(tables.sort()).toEqual([...declared.map(({ name }) => name), 'migrations'].sort())
})

test('the index of a workspace has all that messages are filtered by without a walk: what is rare among them is found in it alone', () => {
  const indexed = rows<{ name: string }>('PRAGMA index_info(messages_workspace)').map(({ name }) => name)
  const filtered = fieldFilters.filter(({ isWalked }) => !isWalked).map(({ column }) => column)
  expect(indexed).toEqual(expect.arrayContaining(['line_seq', 'api_key_seq', ...filtered]))
})

test.each(keptColumns)('a change of what is kept for sends begins a new generation: %s.%s', async (table, column) => {
  const seeded = openDatabase()
  await seed(seeded)
  const { client } = seeded.writer
  const generation = () => client.query('SELECT settings_generation FROM workspaces').values()
  const before = generation()
  client.run(`UPDATE ${table} SET ${column} = ${column}`)
  expect(generation()).not.toEqual(before)
  seeded.close()
})

describe.each(declared.map(table => [table.name, table] as const))('%s as migrated is as declared', (name, table) => {
  // In any order: a migration adds a column at the end, the schema has it where it reads best, and every statement names
  // the columns that it means.
  test('columns: names, types, NOT NULL, primary key', () => {
    const keyColumns = table.primaryKeys[0]?.columns ?? table.columns.filter(column => column.primary)
    const keys = keyColumns.map(column => column.name)
    const migrated = rows<{ name: string; type: string; notnull: number; pk: number }>(
      `SELECT name, lower(type) AS type, "notnull", pk FROM pragma_table_info('${name}') ORDER BY name`,
    )
    const wanted = table.columns.map(column => ({
      name: column.name,
      type: column.getSQLType(),
      notnull: column.notNull ? 1 : 0,
      pk: keys.indexOf(column.name) + 1,
    }))
    expect(migrated).toEqual(wanted.sort((one, other) => (one.name < other.name ? -1 : 1)))
  })

  test('indexes: names, columns in order, uniqueness, condition', () => {
    const migrated = rows<{ name: string; unique: number; partial: number; origin: string }>(
      `PRAGMA index_list(${name})`,
    )
      .filter(({ origin }) => origin === 'c')
      .map(index => ({
        name: index.name,
        unique: index.unique === 1,
        partial: index.partial === 1,
        columns: rows<{ name: string }>(`PRAGMA index_info(${index.name})`).map(column => column.name),
      }))
    const wanted = table.indexes.map(({ config }) => ({
      name: config.name,
      unique: config.unique,
      partial: config.where !== undefined,
      // An expression has no name.
      columns: config.columns.map(column => Reflect.get(column, 'name') ?? null),
    }))
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
    expect(migrated.sort(byName)).toEqual(wanted.sort(byName))
  })

  test('WITHOUT ROWID: the columns of the key come first, or an older SQLite finds backups damaged', () => {
    const info = rows<{ name: string; wr: number }>('PRAGMA table_list').find(each => each.name === name)
    if (info?.wr !== 1) return
    const keys = rows<{ pk: number }>(`PRAGMA table_info(${name})`).map(({ pk }) => pk)
    const count = keys.filter(pk => pk > 0).length
    expect(keys.slice(0, count)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  test('foreign keys', () => {
    const migrated = rows<{ table: string; from: string; to: string }>(`PRAGMA foreign_key_list(${name})`)
      .map(key => `${key.from} -> ${key.table}.${key.to}`)
      .sort()
    const wanted = table.foreignKeys
      .map(key => key.reference())
      .map(({ columns, foreignColumns, foreignTable }) => {
        const [from, to] = [columns[0]?.name, foreignColumns[0]?.name]
        return `${from} -> ${getTableConfig(foreignTable).name}.${to}`
      })
      .sort()
    expect(migrated).toEqual(wanted)
  })
})
