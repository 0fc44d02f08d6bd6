import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  type ExtraConfigColumn,
  index,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

/** A time in epoch milliseconds, a count or a number of a row: all below 2^53. */
export const number = (name: string) => bigint(name, { mode: 'number' })

/** Columns that an index is about. */
type Indexed<Name extends string> = Readonly<Record<Name, ExtraConfigColumn>>

/** generate.ts adds the order of bytes (COLLATE "C") to every text. */
export const dialect = {
  define: pgTable,
  text,
  number,
  boolean,
  /** The number of a row, which the database counts. */
  seq: (name: string) => number(name).primaryKey().generatedByDefaultAsIdentity(),
  /** JSON as text: nothing asks the database to look into it. */
  json: <Value>(name: string) =>
    customType<{ data: Value; driverData: string }>({
      dataType: () => 'text',
      toDriver: value => JSON.stringify(value),
      fromDriver: text => JSON.parse(text),
    })(name),
  bytes: customType<{ data: Buffer }>({ dataType: () => 'bytea' }),
  index,
  uniqueIndex,
  primaryKey,
  /** What the engines have each in their own way. */
  own: {
    columnsOfMessages: {
      /** The instance that is to send it; of a message that is settled it says nothing. */
      instanceSeq: number('instance_seq'),
    },

    ofMessages: (
      table: Indexed<
        | 'id'
        | 'workspaceId'
        | 'createdAt'
        | 'seq'
        | 'status'
        | 'lineSeq'
        | 'apiKeySeq'
        | 'type'
        | 'templateName'
        | 'recipient'
      > & { readonly instanceSeq: ExtraConfigColumn },
    ): PgTableExtraConfigValue[] => [
      uniqueIndex('messages_id').on(table.id),
      // Each ends with `seq`: messages of one moment have one order.
      // With all that lists are filtered by: what is rare among a million messages is found in the index alone, in a
      // tenth of a second in place of one. It costs each entry some 30 bytes, where an index for each filter would cost
      // a further entry at every acceptance and event.
      index('messages_workspace').on(
        table.workspaceId,
        table.createdAt,
        table.seq,
        table.status,
        table.lineSeq,
        table.apiKeySeq,
        table.type,
        table.templateName,
      ),
      // Begins with the workspace, so that no list reads what others have. The end of its id is enough to tell
      // workspaces apart, and then the whole id is compared: with all of it, a send would write a twentieth more to the
      // log.
      index('messages_recipient').on(sql`right(workspace_id, 6)`, table.recipient, table.createdAt, table.seq),
      index('messages_failed').on(table.workspaceId, table.createdAt, table.seq).where(sql`status = 'FAILED'`),
      // Callbacks name our id; this index is for the few that do not. The end of the upstream's id is enough to find a
      // row, and then the whole id is compared: the index has half the size that it would have with all 60 characters.
      index('messages_channel_message')
        .on(sql`right(channel_message_id, 16)`)
        .where(sql`channel_message_id IS NOT NULL`),
      // The same for the keys of callers, which may have 255 characters.
      index('messages_idempotency_key').on(sql`right(idempotency_key, 16)`).where(sql`idempotency_key IS NOT NULL`),
      // What each instance sends, and what one that is gone has left.
      index('messages_owner').on(table.instanceSeq, table.id).where(sql`status = 'QUEUED'`),
      // Recovery and the settling job read only messages that are not settled: few rows, however many are stored.
      index('messages_unsettled')
        .on(table.status, sql`right(workspace_id, 6)`, table.id)
        .where(sql`status IN ('QUEUED', 'UNKNOWN')`),
    ],

    ofSessions: (table: Indexed<'expiresAt'>): PgTableExtraConfigValue[] => [
      index('sessions_expiry').on(table.expiresAt),
    ],

    // Of all flows, not only of the open ones: then no index is written when one is closed.
    ofFlowSessions: (table: Indexed<'contactId' | 'lineId' | 'openedAt'>): PgTableExtraConfigValue[] => [
      index('flow_sessions_contact').on(table.contactId, table.openedAt),
    ],

    // Not written with each count, only when a subject's window begins.
    ofRateWindows: (table: Indexed<'startsAt'>): PgTableExtraConfigValue[] => [
      index('rate_windows_age').on(table.startsAt),
    ],

    /** A unique key that ends with a text which may be long. */
    longKey: (name: string, ...columns: readonly ExtraConfigColumn[]): PgTableExtraConfigValue => {
      const [first, ...others] = columns.slice(0, -1)
      if (!first) throw new Error('a key has several columns')
      return uniqueIndex(name).on(first, ...others, sql`md5(detail)`)
    },
  },
}
