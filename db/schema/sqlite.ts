import { type SQLWrapper, sql } from 'drizzle-orm'
import {
  blob,
  customType,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { Dialect } from './dialect.ts'
import { type Json, plain } from './postgres.ts'

type Indexed<Name extends string> = Readonly<Record<Name, SQLiteColumn>>

/** generate.ts adds STRICT to the generated SQL. A test fails when a table lacks it. */
const sqlite = {
  define: sqliteTable,
  text,
  number: (name: string) => integer(name),
  small: (name: string) => integer(name),
  boolean: (name: string) => integer(name, { mode: 'boolean' }),
  seq: (name: string) => integer(name).primaryKey(),
  json: <Value>(name: string, { write, read }: Json<Value> = plain) =>
    customType<{ data: Value; driverData: string }>({
      dataType: () => 'text',
      toDriver: value => JSON.stringify(write(value)),
      fromDriver: text => read(JSON.parse(text) as never),
    })(name),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  reference: (name: string, id: () => SQLiteColumn) => text(name).notNull().references(id),
  index,
  uniqueIndex,
  primaryKey,
  endOf: (text: SQLWrapper | string, chars: number) => sql`substr(${text}, ${sql.raw(`-${chars}`)})`,
  /** Where a text has a part, from 1; 0: nowhere. */
  positionOf: (text: SQLWrapper, part: string) => sql`instr(${text}, ${part})`,
  own: {
    ownerColumns: {},

    messageColumns: {
      /** Null: it left at once, and is found behind the mark of the counts until its end (`db/sqlite/uncounted.ts`). */
      listed: integer('listed').default(1),
    },

    /** Not what leaves at once: it would write a page of the index at its acceptance, and again at its end. */
    unsettled: (condition: string) => `${condition} AND listed IS NOT NULL`,

    /** SQLite adds it by itself. */
    bySeq: () => [],

    /**
     * The messages have a rowid, and so have the contents and the idempotency keys: a leaf of 2 KiB then holds whole
     * rows, where a table without one puts each row above 488 bytes on pages of its own, and its indexes repeat `seq`,
     * of some 4 bytes, instead of the id.
     */
    ofMessages: (
      table: Indexed<
        | 'workspaceId'
        | 'createdAt'
        | 'seq'
        | 'lineSeq'
        | 'apiKeySeq'
        | 'type'
        | 'templateName'
        | 'templateLanguage'
        | 'idempotencyKey'
      >,
    ) => [
      // With what lists are filtered by and never changes: what is rare among a million messages is found in the index
      // alone, in a third of the time, and events write nothing to it. It costs an entry some 17 bytes. A status that
      // is rare has an index of its own.
      index('messages_workspace').on(
        table.workspaceId,
        table.createdAt,
        table.seq,
        table.lineSeq,
        table.apiKeySeq,
        table.type,
        table.templateName,
        table.templateLanguage,
      ),
      // Acceptance looks a key up in it as well (`selectUsedKey`). Keys come in no order: an index of their own beside
      // it was a page more for nearly each send, a third of the log and a tenth of the processor time. It ends with the
      // workspace, so that nobody's look reads what others have.
      index('messages_idempotency_key')
        .on(table.idempotencyKey, sql`substr(workspace_id, -6)`)
        .where(sql`idempotency_key IS NOT NULL`),
    ],

    /** One writer looks before it puts. */
    ofIdempotencyKeys: () => [],

    ofSessions: () => [],

    ofRateWindows: () => [],

    longKey: (_: string, ...columns: [SQLiteColumn, ...SQLiteColumn[]]) => primaryKey({ columns }),
  },
}

/** What it makes is given its own types in `db/sqlite/schema.ts`. */
export const dialect = sqlite as unknown as Dialect
