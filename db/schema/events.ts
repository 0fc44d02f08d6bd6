import { sql } from 'drizzle-orm'
import type { EventType } from '../../src/base/eventTypes.ts'
import type { Dialect } from './dialect.ts'

export function eventTables({ define, index, number, primaryKey, text }: Dialect) {
  /**
   * What callers of a workspace are told, in the order of its commits. A row refers to what it is about, and what it
   * shows is worked out when it is read: each step of each message adds one.
   */
  const events = define(
    'events',
    {
      workspaceId: text('workspace_id').notNull(),
      /** Of the workspace's counter. The event's id follows from it. */
      seq: number('seq').notNull(),
      type: text('type').$type<EventType>().notNull(),
      at: number('at').notNull(),
      recordedAt: number('recorded_at').notNull(),
      /** The message that it is about; null: none. Of `message.received`, see `inbound_messages.seq`. */
      messageSeq: number('message_seq'),
      /** Counts the events of the message; 1 is its acceptance. */
      sequence: number('sequence'),
      /** What was known of the message: src/message/told.ts. */
      known: number('known'),
      /** The id of the contact, template, line or channel that it is about. */
      subject: text('subject'),
      /** What is not worked out, JSON; and as `callback`, that of the upstream which it was made of. */
      data: text('data'),
    },
    table => [
      primaryKey({ columns: [table.workspaceId, table.seq] }),
      // For erasure. No event of a message is in it.
      index('events_subject').on(table.subject).where(sql`subject IS NOT NULL`),
    ],
  )

  /**
   * The last number that was given to an event, or to a message of a user, in a workspace. It stays when they are
   * pruned: no number is used twice.
   */
  const eventCounters = define('event_counters', {
    workspaceId: text('workspace_id').primaryKey(),
    last: number('last').notNull(),
  })

  return { events, eventCounters }
}
