import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { ownTables } from '../../../db/sqlite/schema.ts'

/*
 * Raw statements are checked by SQLite when they are prepared: a table or a column that does not exist fails each test
 * that opens a database. What SQLite does not see is a column that a statement forgets, or one that is filled from
 * another field.
 */

/** Kept by the migrator itself, and no part of the schema. */
const ownTable = 'migrations'

const folder = join(import.meta.dir, '../../../db/sqlite')
const tables = new Map<string, [field: string, column: { readonly name: string }][]>(
  Object.values(ownTables).map(table => [getTableName(table), Object.entries(getTableColumns(table))]),
)
const source = readdirSync(folder)
  .map(file => readFileSync(join(folder, file), 'utf8'))
  .join('\n')

/** The columns that a statement sets, each with what it is set to. */
type Filled = ReadonlyMap<string, string>

const words = (list = '') => list.split(',').map(word => word.trim())
const statements = [
  ...source.matchAll(/INSERT (?:OR REPLACE )?INTO (\w+) \(([^)]+)\)\s+VALUES \(((?:[^()]|\([^()]*\))+)\)/g),
]
const inserts = statements
  .map(([, table = '', columns, values]) => {
    const slots = words(values)
    const filled: Filled = new Map(words(columns).map((column, at) => [column, slots[at] ?? '']))
    return { table, filled }
  })
  .filter(({ table }) => table !== ownTable)

/** The field of each column, as a slot: `$createdAt` for created_at. */
const slotsOf = (table: string): Filled =>
  new Map((tables.get(table) ?? []).map(([field, { name }]) => [name, `$${field}`]))

const misfilled = (table: string, filled: Filled) =>
  [...filled].filter(([column, value]) => value.startsWith('$') && slotsOf(table).get(column) !== value)

describe('a raw insert', () => {
  test('is found in the source', () => {
    expect(inserts.map(({ table }) => table)).toContain('message_events')
    expect(inserts.length).toBeGreaterThanOrEqual(5)
  })

  test.each(inserts)('into $table fills each column from the field of its name', ({ table, filled }) => {
    expect(misfilled(table, filled)).toEqual([])
  })

  test.each(inserts)('into $table forgets no column', ({ table, filled }) => {
    expect([...filled.keys()].sort()).toEqual([...slotsOf(table).keys()].sort())
  })
})
