import { and, type Column, getTableName, type SQL, sql } from 'drizzle-orm'
import type { StatusQuestion } from '../../src/message/statuses.ts'
import { type Columns, columnsOf } from '../rules/columns.ts'
import { conditionsOf } from '../rules/conditions.ts'
import { dialect } from '../schema/sqlite.ts'
import { hasStatus } from '../schema/statuses.ts'
import { type ColumnsAs, ownTables, tables } from './schema.ts'

const { messages } = ownTables

/**
 * The columns that a record is read from, for a raw statement: each is named as its field is.
 * `lines.id AS id, lines.workspace_id AS workspaceId`
 */
export const listOf = (columns: Readonly<Record<string, Column>>) =>
  Object.entries(columns)
    .map(([field, { table, name }]) => `${getTableName(table)}.${name} AS ${field}`)
    .join(', ')

/**
 * The columns and values of an insert, for a raw statement: each value is named as its field is.
 * `(id, workspace_id) VALUES ($id, $workspaceId)`
 */
export const valuesOf = (columns: Readonly<Record<string, Column>>) => {
  const fields = Object.entries(columns)
  const values = fields.map(([field]) => `$${field}`)
  return `(${fields.map(([, { name }]) => name).join(', ')}) VALUES (${values.join(', ')})`
}

/** What is read of each record. */
export const columns = columnsOf(tables)
export const messageColumns = columns.messageColumns as unknown as ColumnsAs<Columns['messageColumns']>

/**
 * The tables of `messageColumns`, for a raw statement. A cross join keeps SQLite from going from the lines to messages.
 */
export const messageTables = `messages CROSS JOIN lines ON lines.seq = messages.line_seq
  LEFT JOIN api_keys ON api_keys.seq = messages.api_key_seq`

/** The plus keeps SQLite from the index that has the whole id, and all messages of the workspace. */
const isNotElsewhere = (workspaceId: string) => sql`+${messages.workspaceId} = ${workspaceId}`

/** The condition of the partial index stands beside the other. */
const isOneUnsettled = (question: StatusQuestion): SQL | undefined =>
  and(isUnsettled, hasStatus(messages.status, question))

export const conditions = conditionsOf(tables, dialect, { isNotElsewhere, isOneUnsettled })
const { isUnsettled } = conditions
