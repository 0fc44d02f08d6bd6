import { and, type Column, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { ApiKey } from '../accounts.ts'
import type { Channel, Line, Message, MessageStatusView, Template } from '../records.ts'
import { apiKeys, users } from '../schema/accounts.ts'
import { channels, lines, templates } from '../schema/channels.ts'
import { contacts } from '../schema/contacts.ts'
import { messages } from '../schema/messages.ts'

/**
 * The columns that a record is read from, for a raw statement: each is named as its field is.
 * `id, workspace_id AS workspaceId`
 */
export const listOf = (columns: Readonly<Record<string, Column>>) =>
  Object.entries(columns)
    .map(([field, { name }]) => (name === field ? name : `${name} AS ${field}`))
    .join(', ')

/**
 * The columns and values of an insert, for a raw statement: each value is named as its field is.
 * `(id, workspace_id) VALUES ($id, $workspaceId)`
 */
export const valuesOf = (columns: Readonly<Record<string, Column>>) => {
  const fields = Object.entries(columns)
  return `(${fields.map(([, { name }]) => name).join(', ')}) VALUES (${fields.map(([field]) => `$${field}`).join(', ')})`
}

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

/** What is read of a message. Its content lies elsewhere: only the sender and the operator need it. */
const { seq: _seq, ...shownMessageColumns } = getTableColumns(messages)
export const messageColumns = shownMessageColumns satisfies ColumnsOf<Message>

/** @returns what is polled of a message: of its columns as of a message itself, all but these. */
export const statusViewOf = <Fields extends Readonly<Record<keyof Message, unknown>>>({
  channelId,
  lineId,
  contactId,
  recipient,
  type,
  templateName,
  apiKeyId,
  idempotencyKey,
  requestId,
  ...statusView
}: Fields) => statusView

export const statusViewColumns = statusViewOf(messageColumns) satisfies ColumnsOf<MessageStatusView>

const { removedAt: _channelRemovedAt, ...shownChannelColumns } = getTableColumns(channels)
const { removedAt: _lineRemovedAt, ...shownLineColumns } = getTableColumns(lines)
/** What is read of channels and lines that are not removed: no other part knows of the removed ones. */
export const channelColumns = shownChannelColumns satisfies ColumnsOf<Channel>
export const templateColumns = getTableColumns(templates) satisfies ColumnsOf<Template>
export const lineColumns = shownLineColumns satisfies ColumnsOf<Line>
export const isChannelThere = isNull(channels.removedAt)
export const isLineThere = isNull(lines.removedAt)

/** The upstream's id of a message, through its index: the condition and the expression stand there word for word. */
export const isChannelMessage = (id: string) =>
  and(
    sql`channel_message_id IS NOT NULL`,
    sql`substr(channel_message_id, -16) = substr(${id}, -16)`,
    eq(messages.channelMessageId, id),
  )

/** The same for the key of a caller. */
export const hasIdempotencyKey = (key: string) =>
  and(
    sql`idempotency_key IS NOT NULL`,
    sql`substr(idempotency_key, -16) = substr(${key}, -16)`,
    eq(messages.idempotencyKey, key),
  )

/** The condition of the partial index, word for word: without it beside a status, the planner reads every message. */
export const isUnsettled = sql`status IN ('QUEUED', 'UNKNOWN')`

const { secretHash: _secretHash, ...shownKeyColumns } = getTableColumns(apiKeys)
/** What is read of an API key: everything but the hash of its secret, which only authentication needs. */
export const keyColumns = shownKeyColumns satisfies ColumnsOf<ApiKey>

const { mergedInto: _mergedInto, ...shownContactColumns } = getTableColumns(contacts)
export const contactColumns = shownContactColumns

const { passwordHash: _passwordHash, ...shownUserColumns } = getTableColumns(users)
/** What is read of a user: everything but the hash of the password, which only signing in needs. */
export const userColumns = shownUserColumns
