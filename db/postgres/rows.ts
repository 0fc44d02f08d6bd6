import { and, type Column, eq, getTableName, isNull, type SQL, sql } from 'drizzle-orm'
import { columnsOf } from '../rules/columns.ts'
import type { Conditions, OpenStatus } from '../rules/engine.ts'
import { messageFilters } from '../rules/filters.ts'
import type { Connection } from './open.ts'
import { apiKeys, channels, lines, messages, tables } from './schema/tables.ts'

/**
 * The columns that a record is read from, for a raw statement: each is named as its field is, and numbers come as numbers.
 * `lines.id AS "id", lines.created_at::float8 AS "createdAt"`
 */
export const listOf = (columns: Readonly<Record<string, Column>>) =>
  Object.entries(columns)
    .map(([field, { table, name, dataType }]) => {
      // A bigint comes as text. All of ours fit a double, which comes as a number.
      return `${getTableName(table)}.${name}${dataType === 'number' ? '::float8' : ''} AS "${field}"`
    })
    .join(', ')

/** What is read of each record. */
export const columns = columnsOf(tables)
export const {
  authenticationColumns,
  channelColumns,
  contactColumns,
  lineColumns,
  messageColumns,
  statusViewColumns,
  templateColumns,
} = columns

/** The tables of `messageColumns`, for a raw statement. */
export const messageTables = `messages JOIN lines ON lines.seq = messages.line_seq
  LEFT JOIN api_keys ON api_keys.seq = messages.api_key_seq`

/** The messages for which a condition holds; `orderBy` and `limit` may follow. */
export const messagesWhere = (db: Connection['db'], condition: SQL | undefined) =>
  db
    .select(messageColumns)
    .from(messages)
    .innerJoin(lines, eq(lines.seq, messages.lineSeq))
    .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
    .where(condition)

/** What lists are filtered by besides the status. */
export const filters = messageFilters(tables)

export const isChannelThere = isNull(channels.removedAt)
export const isLineThere = isNull(lines.removedAt)

/** The upstream's id of a message, through its index: the condition and the expression stand there too. */
export const isChannelMessage = (id: string) =>
  and(
    sql`channel_message_id IS NOT NULL`,
    sql`right(channel_message_id, 16) = right(${id}, 16)`,
    eq(messages.channelMessageId, id),
  )

/** The same for the key of a caller. */
export const hasIdempotencyKey = (key: string) =>
  and(
    sql`idempotency_key IS NOT NULL`,
    sql`right(idempotency_key, 16) = right(${key}, 16)`,
    eq(messages.idempotencyKey, key),
  )

/** In this form no index has it: the planner would take that of all messages of the workspace, for the few that are asked for. */
export const isNotElsewhere = (workspaceId: string) => sql`(${messages.workspaceId} <> ${workspaceId}) IS NOT TRUE`

/** The messages of a workspace, through an index that has the end of its id. */
export const isOfWorkspace = (workspaceId: string) =>
  and(sql`right(${messages.workspaceId}, 6) = right(${workspaceId}, 6)`, isNotElsewhere(workspaceId))

/** The condition of the partial index, word for word. */
export const isUnsettled = sql`status IN ('QUEUED', 'UNKNOWN')`

/** Of an open status. It stands in the statement as a word, so that the planner knows how few messages have it. */
export const hasOpenStatus = (status: OpenStatus) =>
  status === 'QUEUED' ? sql`status = 'QUEUED'` : sql`status = 'UNKNOWN'`

export const conditions: Conditions = {
  isChannelThere,
  isLineThere,
  isUnsettled,
  isOfWorkspace,
  isNotElsewhere,
  hasOpenStatus,
  isChannelMessage,
  hasIdempotencyKey,
}
