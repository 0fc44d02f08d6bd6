import { getTableColumns, is, Placeholder, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { NewEvent } from '../contract/events.ts'
import { type Engine, type FoundKey, type NamedKey, prepared } from '../rules/engine.ts'
import type { Verbs } from './commit.ts'
import { searchStep } from './messageSearch.ts'
import type { Connection } from './open.ts'
import { columns, conditions } from './rows.ts'
import { tables } from './schema.ts'
import { selectUsedKey } from './sendReads.ts'
import { readingUncounted } from './uncounted.ts'

type Bindable = string | number

/** @returns a statement that puts a row, and the columns whose values it takes */
function putting(table: SQLiteTable) {
  const { name, primaryKeys } = getTableConfig(table)
  const fields = Object.entries(getTableColumns(table))
  const keys = primaryKeys[0]?.columns.map(column => column.name) ?? []
  const names = fields.map(([, column]) => column.name)
  const set = names.filter(name => !keys.includes(name)).map(name => `"${name}" = excluded."${name}"`)
  const text = `INSERT INTO "${name}" ("${names.join('", "')}") VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT ("${keys.join('", "')}") DO UPDATE SET ${set.join(', ')}`
  return { fields, text }
}

const driverValue = (column: SQLiteColumn, value: unknown): Bindable | null =>
  value === null ? null : (column.mapToDriverValue(value) as Bindable)

/** What only the writer does. */
export interface WriterTools extends Pick<Engine, 'count' | 'countInPlan'> {
  readonly tell: (event: NewEvent) => void
  readonly record: Verbs['recordEvent']
}

const no = () => {
  throw new Error('a connection that only reads stores nothing')
}
const readerTools: WriterTools = { tell: no, record: no, count: no, countInPlan: no }

/**
 * @param tools a reader has none
 * @returns what the rules work with: on the writer's connection in the group commit, on a reader's for reads
 */
export const engineOf = ({ client, db }: Connection, tools: WriterTools = readerTools): Engine => ({
  // The rules are written in the types of PostgreSQL.
  db: db as unknown as Engine['db'],
  tables,
  columns,
  conditions,
  isAnyOf: (column, values) =>
    sql`${column} IN (SELECT value FROM json_each(${is(values, Placeholder) ? values : JSON.stringify(values)}))`,
  listed: values => JSON.stringify(values),
  async put(table, rows) {
    const { fields, text } = putting(table as unknown as SQLiteTable)
    const put = client.query(text)
    for (const row of rows)
      put.run(...fields.map(([field, column]) => driverValue(column, row[field as keyof typeof row])))
  },
  locking: query => query,
  holding: query => query,
  lockContacts: async () => {},
  async tell(events) {
    for (const event of events) tools.tell(event)
  },
  record: async recorded => tools.record(recorded),
  usedKey: async named => client.query<FoundKey, [NamedKey]>(selectUsedKey).get(named),
  count: tools.count,
  countInPlan: tools.countInPlan,
  uncounted: async () => readingUncounted(client)(),
  asKept: rows => rows,
  async deleteSome(table, condition, limit) {
    const { name, columns, primaryKeys } = getTableConfig(table as unknown as SQLiteTable)
    const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
    const key = sql.join(keys, sql`, `)
    const found = db.values<Bindable[]>(sql`SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit}`)
    // One at a time, by the whole key: given a list, SQLite reads all of a table that it believes to be small.
    const isIt = keys.map(({ name }) => `"${name}" = ?`).join(' AND ')
    const deletion = client.query(`DELETE FROM "${name}" WHERE ${isIt}`)
    for (const values of found) deletion.run(...values)
    return { found: found.length, erased: found.length }
  },
  through: (table, index) => sql`${table} INDEXED BY ${sql.identifier(index)}`,
  forEach: (texts, table, isOne) => sql`json_each(${texts}) AS asked CROSS JOIN ${table} ON ${isOne}`,
  onEach(build) {
    const run = prepared(() => build(column => sql`${column} = ${sql.placeholder('value')}`))
    return async (values, slots = {}) => {
      const all: Awaited<ReturnType<typeof run>> = []
      for (const value of values) {
        const rows: unknown = await run({ ...slots, value })
        // A change that returns nothing answers how many rows it has changed.
        if (Array.isArray(rows)) all.push(...rows)
      }
      return all
    }
  },
  findByIndex: async () => {},
  lockMessages: async () => {},
  ownLongTables: [],
  shortenOwnWaits: async () => {},
  searchStep: step => searchStep({ client, db }, step),
})
