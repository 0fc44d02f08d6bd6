import { type Column, getTableName, sql } from 'drizzle-orm'
import type { StatusQuestion } from '../../src/message/statuses.ts'
import { columnsOf } from '../rules/columns.ts'
import { conditionsOf } from '../rules/conditions.ts'
import { dialect } from '../schema/postgres.ts'
import { statusText } from '../schema/statuses.ts'
import { tables } from './schema/tables.ts'

const { messages } = tables

/**
 * The columns that a record is read from, for a raw statement: each is named as its field is, and numbers come as
 * numbers. `lines.id AS "id", lines.created_at::float8 AS "createdAt"`
 */
export const listOf = (columns: Readonly<Record<string, Column>>) =>
  Object.entries(columns)
    .map(([field, { table, name, dataType }]) => {
      // A bigint comes as text. All of ours fit a double, which comes as a number.
      return `${getTableName(table)}.${name}${dataType === 'number' ? '::float8' : ''} AS "${field}"`
    })
    .join(', ')

/** The columns to read of each record. */
export const columns = columnsOf(tables)
export const { messageColumns } = columns

/** The tables of `messageColumns`, for a raw statement. */
export const messageTables = `messages JOIN lines ON lines.seq = messages.line_seq
  LEFT JOIN api_keys ON api_keys.seq = messages.api_key_seq`

/**
 * In this form no index has it: the planner would take that of all messages of the workspace, for the few that are
 * asked for.
 */
export const isNotElsewhere = (workspaceId: string) => sql`(${messages.workspaceId} <> ${workspaceId}) IS NOT TRUE`

/** With the statuses as literals, so that the planner knows how few messages have them. */
const isOneUnsettled = (question: StatusQuestion) => sql.raw(statusText(question))

export const conditions = conditionsOf(tables, dialect, { isNotElsewhere, isOneUnsettled })
