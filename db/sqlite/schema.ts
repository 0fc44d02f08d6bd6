import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { SQLiteColumn, SQLiteTableWithColumns } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../schema/dialect.ts'
import { dialect } from '../schema/sqlite.ts'
import { type Tables, tablesOf } from '../schema/tables.ts'

/** The same columns, as SQLite has them. */
export type ColumnsAs<Columns> = { [Field in keyof Columns]: ColumnOf<Columns[Field]> }

type ColumnOf<Column> = Column extends PgColumn<infer Config> ? SQLiteColumn<Config> : never

/** A table with the same columns, as SQLite has it. */
type TableOf<Table extends PgTable> = SQLiteTableWithColumns<{
  name: Table['_']['name']
  schema: undefined
  dialect: 'sqlite'
  columns: ColumnsAs<Omit<Table['_']['columns'], keyof Dialect['own']['ownerColumns']>>
}>

/** In the types of PostgreSQL, as the rules know them. */
export const tables = tablesOf(dialect)

/** The same, in the types of SQLite. */
export const ownTables = tables as unknown as { [Name in keyof Tables]: TableOf<Tables[Name]> }
