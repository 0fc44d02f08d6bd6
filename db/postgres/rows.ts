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
} from './schema/tables.ts'

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

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

const {
  seq: _seq,
  lineSeq: _lineSeq,
  apiKeySeq: _apiKeySeq,
  instanceSeq: _instanceSeq,
  ...ownMessageColumns
} = getTableColumns(messages)
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
