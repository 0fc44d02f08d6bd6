import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { dialect } from '../schema/sqlite.ts'
import { ownTables } from '../sqlite/schema.ts'

export type ColumnKind = 'text' | 'number' | 'boolean' | 'bytes'

export interface MovedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

/** A table that both engines have, with the same columns. */
export interface MovedTable {
  readonly name: string
  readonly columns: readonly MovedColumn[]
  /** The primary key. Both engines sort by it in the same order: text byte by byte. */
  readonly key: readonly MovedColumn[]
}

/** Bytes as hexadecimal digits. */
export type Value = string | number | boolean | null

/** In the order of the table's columns. */
export type MovedRow = readonly Value[]

const kinds: Readonly<Partial<Record<string, ColumnKind>>> = {
  string: 'text',
  // Both engines keep it as the original text.
  json: 'text',
  custom: 'text',
  number: 'number',
  boolean: 'boolean',
  buffer: 'bytes',
}

/**
 * What each database has for itself: of messages, SQLite's own index begins as the default; generations of settings
 * grow also while rows are moved in.
 */
const ownNames = [...Object.keys(dialect.own.messageColumns), ownTables.workspaces.settingsGeneration.name]

/** What only PostgreSQL has is about running instances, and starts empty. */
export const movedTables: readonly MovedTable[] = Object.values(ownTables).map(movedTable)

function movedTable(table: SQLiteTable): MovedTable {
  const { name, columns, primaryKeys } = getTableConfig(table)
  const movedColumns = columns
    .filter(({ name }) => !ownNames.includes(name))
    .map(column => ({ name: column.name, kind: kindOf(column) }))
  const keyNames = (primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map(column => column.name)
  const key = keyNames.flatMap(keyName => movedColumns.filter(column => column.name === keyName))
  return { name, columns: movedColumns, key }
}

function kindOf({ name, dataType }: { name: string; dataType: string }): ColumnKind {
  const kind = kinds[dataType]
  if (kind === undefined) throw new Error(`The column ${name} has the type ${dataType}, which cannot be moved.`)
  return kind
}

/** @returns the key of a row */
export const movedKey = ({ columns, key }: MovedTable, row: MovedRow): MovedRow =>
  key.map(({ name }) => row[columns.findIndex(column => column.name === name)] ?? null)

export const columnList = (columns: readonly MovedColumn[]): string => columns.map(({ name }) => name).join(', ')
