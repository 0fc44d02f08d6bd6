import { dialect } from '../../schema/postgres.ts'
import { tablesOf } from '../../schema/tables.ts'

/** The tables that every engine has. */
export const tables = tablesOf(dialect)

export const {
  apiKeys,
  auditEntries,
  callbackReceipts,
  channels,
  contacts,
  dailyCounts,
  flowSessions,
  idempotencyKeys,
  inboundMessages,
  invitations,
  lines,
  mediaUploads,
  memberships,
  messageContents,
  messageEvents,
  messages,
  parkedReports,
  planUsage,
  properties,
  rateWindows,
  recoveryCodes,
  sessions,
  templates,
  upstreamUpdates,
  users,
  workspaces,
} = tables
