import { accountTables } from './accounts.ts'
import { apiRequestTables } from './apiRequests.ts'
import { auditTables } from './audit.ts'
import { batchTables } from './batches.ts'
import { channelTables } from './channels.ts'
import { contactTables } from './contacts.ts'
import type { Dialect } from './dialect.ts'
import { erasureTables } from './erasures.ts'
import { eventTables } from './events.ts'
import { fileTables } from './files.ts'
import { messageTablesOf } from './messages.ts'
import { userTables } from './users.ts'
import { webhookTables } from './webhooks.ts'

/** The tables that every engine has. */
export type Tables = ReturnType<typeof tablesOf>

/** A row as its table is described: what is known of a field stands there. */
export type Row<Name extends keyof Tables> = Readonly<Tables[Name]['$inferSelect']>

/** @returns the tables of one engine, in its dialect. What a row refers to stands before it: so they are moved */
export function tablesOf(dialect: Dialect) {
  const accounts = accountTables(dialect)
  return {
    ...accounts,
    ...apiRequestTables(dialect),
    ...auditTables(dialect),
    ...batchTables(dialect, accounts),
    ...channelTables(dialect, accounts),
    ...contactTables(dialect, accounts),
    ...erasureTables(dialect),
    ...eventTables(dialect),
    ...fileTables(dialect),
    ...messageTablesOf(dialect),
    ...userTables(dialect, accounts),
    ...webhookTables(dialect, accounts),
  }
}
