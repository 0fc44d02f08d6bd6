import { type Column, getTableColumns } from 'drizzle-orm'
import { eventless } from '../../src/message/state.ts'
import { keyFields, type StoredKey, type Workspace } from '../contract/accounts.ts'
import { invitationFields } from '../contract/members.ts'
import type { Channel, Contact, Line, Message, MessageStatusView, Template } from '../contract/records.ts'
import { statusViewOf } from '../contract/statusView.ts'
import { type Member, sessionFields, userFields } from '../contract/users.ts'
import { fieldsOf } from '../messageFields.ts'
import type { Tables } from '../schema/tables.ts'

/** The columns of a record: one that lacks a field is a type error. */
type ColumnsOf<Row> = Readonly<Record<keyof Row, Column>>

export type Columns = ReturnType<typeof columnsOf>

/** @returns the named fields: what a table gets beside them stays where it is */
export const only = <Fields extends object, Field extends keyof Fields>(
  fields: Fields,
  named: readonly Field[],
): Pick<Fields, Field> => Object.fromEntries(named.map(field => [field, fields[field]] as const)) as Pick<Fields, Field>

/** @returns all fields but those that only the tables know. What may hold a secret is named instead, by `only` */
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
  const { workspaces } = tables
  const userColumns = only(getTableColumns(users), userFields)
  const keyColumns = only(getTableColumns(apiKeys), keyFields)
  const storedViewColumns = statusViewOf(messages)
  const statusViewColumns = { ...storedViewColumns, lineId: lines.id } satisfies ColumnsOf<MessageStatusView>
  /**
   * The columns of a message, from `messages` joined to its line and its key. Its content is elsewhere: only the sender
   * and the operator need it.
   */
  const messageColumns = {
    ...statusViewColumns,
    ...fieldsOf(messages),
    channelId: lines.channelId,
    apiKeyId: apiKeys.id,
  } satisfies ColumnsOf<Message>

  return {
    messageColumns,
    statusViewColumns,
    /** Of the one table. */
    storedViewColumns,
    /** Of channels and lines that are not removed: no other part knows of the removed ones. */
    channelColumns: without(getTableColumns(channels), 'removedAt', 'templateGeneration') satisfies ColumnsOf<Channel>,
    lineColumns: without(getTableColumns(lines), 'seq', 'removedAt') satisfies ColumnsOf<Line>,
    templateColumns: getTableColumns(templates) satisfies ColumnsOf<Template>,
    /** All of an API key, as authentication needs it. */
    authenticationColumns: { ...keyColumns, secretHash: apiKeys.secretHash } satisfies ColumnsOf<StoredKey>,
    keyColumns,
    /** Of the settings of a workspace. */
    generation: workspaces.settingsGeneration,
    workspaceColumns: without(getTableColumns(workspaces), 'settingsGeneration') satisfies ColumnsOf<Workspace>,
    contactColumns: without(
      getTableColumns(contacts),
      'phoneToldAt',
      'mergedInto',
      'heardSeq',
      'spokenSeq',
      'readSeq',
      'unreadAt',
      'doneSeq',
      'takenBy',
    ) satisfies ColumnsOf<Contact>,
    userColumns,
    memberColumns: {
      ...userColumns,
      workspaceId: memberships.workspaceId,
      role: memberships.role,
      since: memberships.since,
    } satisfies ColumnsOf<Member>,
    sessionColumns: only(getTableColumns(sessions), sessionFields),
    invitationColumns: only(getTableColumns(invitations), invitationFields),
  }
}
