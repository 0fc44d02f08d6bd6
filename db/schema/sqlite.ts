import { sql } from 'drizzle-orm'
import {
  blob,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { Dialect } from './dialect.ts'

type Indexed<Name extends string> = Readonly<Record<Name, SQLiteColumn>>

/** generate.ts adds STRICT to the generated SQL. A test fails when a table lacks it. */
const sqlite = {
  define: sqliteTable,
  text,
  number: (name: string) => integer(name),
  boolean: (name: string) => integer(name, { mode: 'boolean' }),
  seq: (name: string) => integer(name).primaryKey(),
  json: (name: string) => text(name, { mode: 'json' }),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  index,
  uniqueIndex,
  primaryKey,
  own: {
    columnsOfMessages: {},

    /**
     * The messages have a rowid, and so have the contents and the idempotency keys: a leaf of 2 KiB then holds whole
     * rows, where a table without one puts each row above 488 bytes on pages of its own, and its indexes repeat `seq`,
     * of some 4 bytes, instead of the id.
     */
    ofMessages: (table: Indexed<'id' | 'workspaceId' | 'createdAt' | 'status' | 'recipient'>) => [
      uniqueIndex('messages_id').on(table.id),
      // Each ends with `seq`, which SQLite adds: messages of one moment are in the order of their acceptance.
      index('messages_workspace').on(table.workspaceId, table.createdAt),
      // Begins with the workspace, so that no list reads what others have. The end of its id is enough to tell
      // workspaces apart, and then the whole id is compared: with all of it, a send under load would write an eighth
      // more to the log.
      index('messages_recipient').on(sql`substr(workspace_id, -6)`, table.recipient, table.createdAt),
      index('messages_failed').on(table.workspaceId, table.createdAt).where(sql`status = 'FAILED'`),
      // Callbacks name our id; this index is for the few that do not. The end of the upstream's id is enough to find a
      // row, and then the whole id is compared: the index has half the size that it would have with all 60 characters.
      index('messages_channel_message')
        .on(sql`substr(channel_message_id, -16)`)
        .where(sql`channel_message_id IS NOT NULL`),
      // The same for the keys of callers, which may have 255 characters.
      index('messages_idempotency_key').on(sql`substr(idempotency_key, -16)`).where(sql`idempotency_key IS NOT NULL`),
      // Recovery and the settling job read only messages that are not settled: few rows, however many are stored.
      index('messages_unsettled')
        .on(table.status, sql`substr(workspace_id, -6)`, table.id)
        .where(sql`status IN ('QUEUED', 'UNKNOWN')`),
    ],

    ofSessions: () => [],

    ofFlowSessions: (table: Indexed<'contactId' | 'lineId'>) => [
      index('flow_sessions_active').on(table.contactId, table.lineId).where(sql`closed_at IS NULL`),
    ],

    ofRateWindows: () => [],

    longKey: (_: string, ...columns: [SQLiteColumn, ...SQLiteColumn[]]) => primaryKey({ columns }),
  },
}

/** What it makes is given its own types in `db/sqlite/schema.ts`. */
export const dialect = sqlite as unknown as Dialect
