import { and, type Column, eq, getTableColumns, getTableName, isNull, type SQL, sql } from 'drizzle-orm'
import type { ApiKey } from '../accounts.ts'
import type { Invitation } from '../members.ts'
import type { Channel, Line, Message, MessageStatusView, Template } from '../records.ts'
import { statusViewOf } from '../statusView.ts'
import type { Member, Session, User } from '../users.ts'
import type { Connection } from './open.ts'
import {
  apiKeys,
  channels,
  contacts,
  invitations,
  lines,
  memberships,
  messages,
  sessions,
  templates,
  users,
} from './schema.ts'

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
  return `(${fields.map(([, { name }]) => name).join(', ')}) VALUES (${fields.map(([field]) => `$${field}`).join(', ')})`
}

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

const { seq: _seq, lineSeq: _lineSeq, apiKeySeq: _apiKeySeq, ...ownMessageColumns } = getTableColumns(messages)
/**
 * What is read of a message, from `messages` joined to its line and its key. Its content lies elsewhere: only the sender
 * and the operator need it.
 */
export const messageColumns = {
  ...ownMessageColumns,
  channelId: lines.channelId,
  lineId: lines.id,
  apiKeyId: apiKeys.id,
} satisfies ColumnsOf<Message>

/** The tables of `messageColumns`, for a raw statement. A cross join keeps SQLite from going from the lines to messages. */
export const messageTables = `messages CROSS JOIN lines ON lines.seq = messages.line_seq
  LEFT JOIN api_keys ON api_keys.seq = messages.api_key_seq`

/** The messages for which a condition holds; `orderBy` and `limit` may follow. */
export const messagesWhere = (db: Connection['db'], condition: SQL | undefined) =>
  db
    .select(messageColumns)
    .from(messages)
    .crossJoin(lines)
    .leftJoin(apiKeys, eq(apiKeys.seq, messages.apiKeySeq))
    .where(and(eq(lines.seq, messages.lineSeq), condition))

/** Conditions on a message by the ids of its line and its key. */
export const isOfLine = (lineId: string) => sql`${messages.lineSeq} = (SELECT seq FROM lines WHERE id = ${lineId})`
export const isOfKey = (keyId: string) => sql`${messages.apiKeySeq} = (SELECT seq FROM api_keys WHERE id = ${keyId})`

export const statusViewColumns = statusViewOf(messageColumns) satisfies ColumnsOf<MessageStatusView>

const { removedAt: _channelRemovedAt, ...shownChannelColumns } = getTableColumns(channels)
const { seq: _lineNumber, removedAt: _lineRemovedAt, ...shownLineColumns } = getTableColumns(lines)
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

/** @returns the expression of the indexes that begin with a workspace, word for word */
export const endOf = (workspaceId: Column | string) => sql`substr(${workspaceId}, -6)`

/**
 * The messages of a workspace, through an index that has the end of its id. The plus keeps SQLite from the index that has
 * the whole id, and all messages.
 */
export const isOfWorkspace = (workspaceId: string) =>
  and(eq(endOf(messages.workspaceId), endOf(workspaceId)), sql`+${messages.workspaceId} = ${workspaceId}`)

/** The condition of the partial index, word for word: without it beside a status, the planner reads every message. */
export const isUnsettled = sql`status IN ('QUEUED', 'UNKNOWN')`

const { seq: _keyNumber, ...storedKeyColumns } = getTableColumns(apiKeys)
/** All of an API key, as authentication needs it. */
export const authenticationColumns = storedKeyColumns
const { secretHash: _secretHash, ...shownKeyColumns } = storedKeyColumns
/** What is read of an API key: everything but the hash of its secret, which only authentication needs. */
export const keyColumns = shownKeyColumns satisfies ColumnsOf<ApiKey>

const { mergedInto: _mergedInto, ...shownContactColumns } = getTableColumns(contacts)
export const contactColumns = shownContactColumns

const {
  passwordHash: _passwordHash,
  sealedTotpSecret: _sealedTotpSecret,
  totpStep: _totpStep,
  ...shownUserColumns
} = getTableColumns(users)
/** What is read of a user: everything but the secrets, which only signing in needs. */
export const userColumns = shownUserColumns satisfies ColumnsOf<User>
export const memberColumns = {
  ...userColumns,
  workspaceId: memberships.workspaceId,
  role: memberships.role,
  since: memberships.since,
} satisfies ColumnsOf<Member>

const {
  familyHash: _familyHash,
  tokenHash: _tokenHash,
  formerTokenHash: _formerTokenHash,
  ...shownSessionColumns
} = getTableColumns(sessions)
export const sessionColumns = shownSessionColumns satisfies ColumnsOf<Session>

const { tokenHash: _invitationTokenHash, ...shownInvitationColumns } = getTableColumns(invitations)
export const invitationColumns = shownInvitationColumns satisfies ColumnsOf<Invitation>
