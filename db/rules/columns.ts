import { type Column, getTableColumns } from 'drizzle-orm'
import { eventless } from '../../src/message/state.ts'
import type { ApiKey, StoredKey } from '../accounts.ts'
import type { Invitation } from '../members.ts'
import type { Channel, Contact, Line, Message, MessageStatusView, Template } from '../records.ts'
import type { Tables } from '../schema/tables.ts'
import { statusViewOf } from '../statusView.ts'
import type { Member, Session, User } from '../users.ts'

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

export const sessionSecrets = ['familyHash', 'tokenHash', 'formerTokenHash'] as const

export type Columns = ReturnType<typeof columnsOf>

/** @returns all fields but those that only the tables know, or only signing in needs */
export const without = <Fields extends object, Field extends keyof Fields>(fields: Fields, ...left: readonly Field[]) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !left.some(other => other === field))) as Omit<
    Fields,
    Field
  >

/** What events alone set of a message. */
export const eventFields = Object.keys(eventless) as (keyof typeof eventless)[]
/** What events change of a message. */
export const movedFields = ['status', 'dispatchedAt', 'sequence', ...eventFields] as const

/** @returns what is read of each record */
export function columnsOf(tables: Tables) {
  const { apiKeys, channels, contacts, invitations, lines, memberships, messages, sessions, templates, users } = tables
  const userColumns = without(getTableColumns(users), 'passwordHash', 'sealedTotpSecret', 'totpStep')
  const authenticationColumns = without(getTableColumns(apiKeys), 'seq')
  /**
   * The columns of a message, from `messages` joined to its line and its key. Its content is elsewhere: only the sender
   * and the operator need it.
   */
  const messageColumns = {
    ...without(getTableColumns(messages), 'seq', 'lineSeq', 'apiKeySeq', 'instanceSeq', 'sequence'),
    channelId: lines.channelId,
    lineId: lines.id,
    apiKeyId: apiKeys.id,
  } satisfies ColumnsOf<Message>

  return {
    messageColumns,
    statusViewColumns: statusViewOf(messageColumns) satisfies ColumnsOf<MessageStatusView>,
    /** Of channels and lines that are not removed: no other part knows of the removed ones. */
    channelColumns: without(getTableColumns(channels), 'removedAt') satisfies ColumnsOf<Channel>,
    lineColumns: without(getTableColumns(lines), 'seq', 'removedAt') satisfies ColumnsOf<Line>,
    templateColumns: getTableColumns(templates) satisfies ColumnsOf<Template>,
    /** All of an API key, as authentication needs it. */
    authenticationColumns: authenticationColumns satisfies ColumnsOf<StoredKey>,
    keyColumns: without(authenticationColumns, 'secretHash') satisfies ColumnsOf<ApiKey>,
    contactColumns: without(
      getTableColumns(contacts),
      'mergedInto',
      'heardSeq',
      'readSeq',
    ) satisfies ColumnsOf<Contact>,
    userColumns: userColumns satisfies ColumnsOf<User>,
    memberColumns: {
      ...userColumns,
      workspaceId: memberships.workspaceId,
      role: memberships.role,
      since: memberships.since,
    } satisfies ColumnsOf<Member>,
    sessionColumns: without(getTableColumns(sessions), ...sessionSecrets) satisfies ColumnsOf<Session>,
    invitationColumns: without(getTableColumns(invitations), 'tokenHash') satisfies ColumnsOf<Invitation>,
  }
}
