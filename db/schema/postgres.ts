import { type SQLWrapper, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  type ExtraConfigColumn,
  index,
  type PgColumn,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { mayLeave } from '../../src/message/statuses.ts'
import { statusText } from './statuses.ts'

/** A time in epoch milliseconds, a count or a number of a row: all below 2^53. */
export const number = (name: string) => bigint(name, { mode: 'number' })

/** What JSON a column has for a value. */
export interface Json<Value> {
  write(value: Value): unknown
  read(json: never): Value
}
export const plain = { write: <Value>(value: Value): unknown => value, read: (json: never) => json }

/** Columns that an index is about. */
type Indexed<Name extends string> = Readonly<Record<Name, ExtraConfigColumn>>

/** generate.ts adds the order of bytes (COLLATE "C") to every text. */
export const dialect = {
  define: pgTable,
  text,
  number,
  /** A whole number below 32,768, in two bytes. */
  small: (name: string) => smallint(name),
  boolean,
  /** The number of a row, which the database counts. */
  seq: (name: string) => number(name).primaryKey().generatedByDefaultAsIdentity(),
  /** JSON as text: nothing asks the database to look into it. @param as how a value is written, and read */
  json: <Value>(name: string, { write, read }: Json<Value> = plain) =>
    customType<{ data: Value; driverData: string }>({
      dataType: () => 'text',
      toDriver: value => JSON.stringify(write(value)),
      fromDriver: text => read(JSON.parse(text) as never),
    })(name),
  bytes: customType<{ data: Buffer }>({ dataType: () => 'bytea' }),
  /** The id of a row of another table. */
  reference: (name: string, id: () => PgColumn) => text(name).notNull().references(id),
  index,
  uniqueIndex,
  primaryKey,
  /** The last characters of a text. */
  endOf: (text: SQLWrapper | string, chars: number) => sql`right(${text}, ${sql.raw(String(chars))})`,
  /** Where a text has a part, from 1; 0: nowhere. */
  positionOf: (text: SQLWrapper, part: string) => sql`strpos(${text}, ${part})`,
  /** What the engines have each in their own way. */
  own: {
    ownerColumns: {
      /** The instance whose it is: that sends a message, as long as it is not settled, or delivers to an endpoint. */
      instanceSeq: number('instance_seq'),
    },

    messageColumns: {},

    /** @returns the condition of the index of the messages that are not settled */
    unsettled: (condition: string): string => condition,

    /** Ends an index: messages of one moment have one order. */
    bySeq: (seq: ExtraConfigColumn): ExtraConfigColumn[] => [seq],

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
        | 'templateLanguage'
      > & { readonly instanceSeq: ExtraConfigColumn },
    ): PgTableExtraConfigValue[] => [
      // With all that lists are filtered by: what is rare among a million messages is found in the index alone, in a
      // tenth of a second in place of one. An index for each filter would cost a further entry at every acceptance and
      // event. The status costs a second entry, at the first event: 318 bytes a message in place of 131, and 2 % of the
      // log. Updates are not HOT without it either: four more indexes go by the status or by the upstream's id. Without
      // all five, a third of the updates were HOT.
      index('messages_workspace').on(
        table.workspaceId,
        table.createdAt,
        table.seq,
        table.status,
        table.lineSeq,
        table.apiKeySeq,
        table.type,
        table.templateName,
        table.templateLanguage,
      ),
      // As `messages_channel_message`, for the keys of callers, which may have 255 characters.
      index('messages_idempotency_key').on(sql`right(idempotency_key, 16)`).where(sql`idempotency_key IS NOT NULL`),
      // What each instance sends, and what one that is gone has left.
      index('messages_owner')
        .on(table.instanceSeq, table.id)
        .where(sql.raw(statusText(mayLeave))),
    ],

    // Instances that accept at the same time agree by it on whose key it is.
    ofIdempotencyKeys: (table: Indexed<'scope' | 'key'>): PgTableExtraConfigValue[] => [
      uniqueIndex('idempotency_keys_key').on(table.scope, table.key),
    ],

    ofSessions: (table: Indexed<'expiresAt'>): PgTableExtraConfigValue[] => [
      index('sessions_expiry').on(table.expiresAt),
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
