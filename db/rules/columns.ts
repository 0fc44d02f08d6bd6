import { type Column, getTableColumns } from 'drizzle-orm'
import type { ApiKey } from '../accounts.ts'
import type { Invitation } from '../members.ts'
import type { Channel, Line, Message, MessageStatusView, Template } from '../records.ts'
import type { Tables } from '../schema/tables.ts'
import { statusViewOf } from '../statusView.ts'
import type { Member, Session, User } from '../users.ts'

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

export type Columns = ReturnType<typeof columnsOf>

/** @returns the columns to read of each record */
export function columnsOf(tables: Tables) {
  const { apiKeys, channels, contacts, invitations, lines, memberships, messages, sessions, templates, users } = tables

  const {
    seq: _seq,
    lineSeq: _lineSeq,
    apiKeySeq: _apiKeySeq,
    instanceSeq: _instanceSeq,
    ...ownMessageColumns
  } = getTableColumns(messages)
  /**
   * The columns of a message, from `messages` joined to its line and its key. Its content is elsewhere: only the sender
   * and the operator need it.
   */
  const messageColumns = {
    ...ownMessageColumns,
    channelId: lines.channelId,
    lineId: lines.id,
    apiKeyId: apiKeys.id,
  } satisfies ColumnsOf<Message>

  const { removedAt: _channelRemovedAt, ...channelColumns } = getTableColumns(channels)
  const { seq: _lineNumber, removedAt: _lineRemovedAt, ...lineColumns } = getTableColumns(lines)

  const { seq: _keyNumber, ...authenticationColumns } = getTableColumns(apiKeys)
  const { secretHash: _secretHash, ...keyColumns } = authenticationColumns

  const { mergedInto: _mergedInto, ...contactColumns } = getTableColumns(contacts)

  const {
    passwordHash: _passwordHash,
    sealedTotpSecret: _sealedTotpSecret,
    totpStep: _totpStep,
    ...userColumns
  } = getTableColumns(users)

  const {
    familyHash: _familyHash,
    tokenHash: _tokenHash,
    formerTokenHash: _formerTokenHash,
    ...sessionColumns
  } = getTableColumns(sessions)

  const { tokenHash: _invitationTokenHash, ...invitationColumns } = getTableColumns(invitations)

  return {
    messageColumns,
    statusViewColumns: statusViewOf(messageColumns) satisfies ColumnsOf<MessageStatusView>,
    /** Of channels and lines that are not removed: no other part knows of the removed ones. */
    channelColumns: channelColumns satisfies ColumnsOf<Channel>,
    lineColumns: lineColumns satisfies ColumnsOf<Line>,
    templateColumns: getTableColumns(templates) satisfies ColumnsOf<Template>,
    /** All of an API key, as authentication needs it. */
    authenticationColumns,
    /** Everything but the hash of its secret, which only authentication needs. */
    keyColumns: keyColumns satisfies ColumnsOf<ApiKey>,
    contactColumns,
    /** Everything but the secrets, which only signing in needs. */
    userColumns: userColumns satisfies ColumnsOf<User>,
    memberColumns: {
      ...userColumns,
      workspaceId: memberships.workspaceId,
      role: memberships.role,
      since: memberships.since,
    } satisfies ColumnsOf<Member>,
    sessionColumns: sessionColumns satisfies ColumnsOf<Session>,
    invitationColumns: invitationColumns satisfies ColumnsOf<Invitation>,
  }
}
