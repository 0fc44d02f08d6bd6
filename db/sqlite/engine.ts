import { sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { NewEvent } from '../events.ts'
import type { Engine } from '../rules/engine.ts'
import { searchStep } from './messageSearch.ts'
import type { Connection } from './open.ts'
import { columns, conditions } from './rows.ts'
import { tables } from './schema.ts'

const noTelling = () => {
  throw new Error('a connection that only reads stores no event')
}

/**
 * @param tell as `telling` has it; a reader tells nothing
 * @returns what the rules work with: on the writer's connection in the group commit, on a reader's for reads
 */
export const engineOf = ({ client, db }: Connection, tell: (event: NewEvent) => void = noTelling): Engine => ({
  // The rules are written in the types of PostgreSQL.
  db: db as unknown as Engine['db'],
  tables,
  columns,
  conditions,
  isAnyOf: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  locking: query => query,
  holding: query => query,
  lockContacts: async () => {},
  async tell(events) {
    for (const event of events) tell(event)
  },
  asKept: rows => rows,
  async deleteSome(table, condition, limit) {
    const { columns, primaryKeys } = getTableConfig(table as unknown as SQLiteTable)
    const key = sql.join(primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary), sql`, `)
    const oldest = sql`SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit}`
    const rows = db.all(sql`DELETE FROM ${table} WHERE (${key}) IN (${oldest}) RETURNING 1`)
    return { found: rows.length, erased: rows.length }
  },
  ownLongTables: [],
  searchStep: step => searchStep({ client, db }, step),
})
