import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { SQLiteColumn, SQLiteTableWithColumns } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../schema/dialect.ts'
import { dialect } from '../schema/sqlite.ts'
import { type Tables, tablesOf } from '../schema/tables.ts'

type ColumnOf<Column> = Column extends PgColumn<infer Config> ? SQLiteColumn<Config> : never

/** A column that SQLite has not. */
type PostgresColumn = keyof Dialect['own']['columnsOfMessages']

/** A table with the same columns, as SQLite has it. */
type TableOf<Table extends PgTable> = SQLiteTableWithColumns<{
  name: Table['_']['name']
  schema: undefined
  dialect: 'sqlite'
  columns: {
    [Field in Exclude<keyof Table['_']['columns'], PostgresColumn>]: ColumnOf<Table['_']['columns'][Field]>
  }
}>

/** What the tables have in common is written in the types of PostgreSQL. */
const tables = tablesOf(dialect) as unknown as { [Name in keyof Tables]: TableOf<Tables[Name]> }

export const {
  apiKeys,
  auditEntries,
  callbackReceipts,
  channels,
  contacts,
  dailyCounts,
  flowSessions,
  idempotencyKeys,
  inboundMessages,
  invitations,
  lines,
  mediaUploads,
  memberships,
  messageContents,
  messageEvents,
  messages,
  parkedReports,
  planUsage,
  properties,
  rateWindows,
  recoveryCodes,
  sessions,
  templates,
  upstreamUpdates,
  users,
  workspaces,
} = tables
