import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Message, Report } from '../../records.ts'
import { bytes, number } from './columns.ts'

export const messages = pgTable(
  'messages',
  {
    /** About in the order of acceptance: several instances take numbers at once. Only the tables beside this one and its indexes know of it. */
    seq: number('seq').primaryKey().generatedByDefaultAsIdentity(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    /** The line, and with it the channel. A number, as the key's: an id takes 31 bytes, in each of a million rows. */
    lineSeq: number('line_seq').notNull(),
    contactId: text('contact_id'),
    recipient: text('recipient').notNull(),
    type: text('type').$type<Message['type']>().notNull(),
    /** The template's name; null for any other type. */
    templateName: text('template_name'),
    /** Computed from the columns below by the state machine; stored for the indexes. */
    status: text('status').$type<Message['status']>().notNull(),
    /** The key that sent it; null: somebody in the console did. */
    apiKeySeq: number('api_key_seq'),
    idempotencyKey: text('idempotency_key'),
    /** The caller's `X-Request-Id`. One of ours would add nothing to the log. */
    requestId: text('request_id'),
    createdAt: number('created_at').notNull(),
    dispatchedAt: number('dispatched_at'),
    acceptedAt: number('accepted_at'),
    reportedSentAt: number('reported_sent_at'),
    deliveredAt: number('delivered_at'),
    readAt: number('read_at'),
    failures: text('failures'),
    gaveUpAt: number('gave_up_at'),
    gaveUpReason: text('gave_up_reason'),
    lostAt: number('lost_at'),
    channelMessageId: text('channel_message_id'),
    waId: text('wa_id'),
    /** The instance that is to send it; of a message that is settled it says nothing. */
    instanceSeq: number('instance_seq'),
  },
  table => [
    uniqueIndex('messages_id').on(table.id),
    // Each ends with `seq`: messages of one moment have one order.
    // With all that lists are filtered by: what is rare among a million messages is found in the index alone, in a tenth of
    // a second in place of one. It costs each entry some 30 bytes, where an index for each filter would cost a further entry
    // at every acceptance and event.
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
    // Begins with the workspace, so that no list reads what others have. The end of its id is enough to tell workspaces
    // apart, and then the whole id is compared: with all of it, a send would write a twentieth more to the log.
    index('messages_recipient').on(sql`right(workspace_id, 6)`, table.recipient, table.createdAt, table.seq),
    index('messages_failed').on(table.workspaceId, table.createdAt, table.seq).where(sql`status = 'FAILED'`),
    // Callbacks name our id; this index is for the few that do not. The end of the upstream's id is enough to find a
    // row, and then the whole id is compared: the index has half the size that it would have with all 60 characters.
    index('messages_channel_message').on(sql`right(channel_message_id, 16)`).where(sql`channel_message_id IS NOT NULL`),
    // The same for the keys of callers, which may have 255 characters.
    index('messages_idempotency_key').on(sql`right(idempotency_key, 16)`).where(sql`idempotency_key IS NOT NULL`),
    // What each instance sends, and what one that is gone has left.
    index('messages_owner').on(table.instanceSeq, table.id).where(sql`status = 'QUEUED'`),
    // Recovery and the settling job read only messages that are not settled: few rows, however many are stored.
    index('messages_unsettled')
      .on(table.status, sql`right(workspace_id, 6)`, table.id)
      .where(sql`status IN ('QUEUED', 'UNKNOWN')`),
  ],
)

/**
 * The upstream request bodies. A table of its own: a message is written anew at each of its events, and these only
 * once, at its acceptance. The oldest contents are the first rows.
 */
export const messageContents = pgTable('message_contents', {
  messageSeq: number('message_seq').primaryKey(),
  payload: text('payload').notNull(),
})

export const messageEvents = pgTable(
  'message_events',
  {
    messageSeq: number('message_seq').notNull(),
    kind: text('kind').notNull(),
    at: number('at').notNull(),
    /** JSON: the upstream's errors, codes and trace ids; empty when there is nothing to add. */
    detail: text('detail').notNull(),
    /** When it was recorded here. */
    recordedAt: number('recorded_at').notNull(),
  },
  // The key also makes a repeated callback one entry. Two failures of one second are two entries.
  table => [uniqueIndex('message_events_key').on(table.messageSeq, table.kind, table.at, sql`md5(detail)`)],
)

/** The living keys of callers; each row is found by its message too, and the oldest key is the first row. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    messageSeq: number('message_seq').primaryKey(),
    /** The scope of the API key, so that the keys of two systems never collide. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the canonical body. */
    fingerprint: bytes('fingerprint').notNull(),
    expiresAt: number('expires_at').notNull(),
  },
  table => [uniqueIndex('idempotency_keys_key').on(table.scope, table.key)],
)

/** How many messages of a day became what: see src/message/counts.ts. The day is that of their acceptance. */
export const dailyCounts = pgTable(
  'daily_counts',
  {
    workspaceId: text('workspace_id').notNull(),
    /** Calendar day in UTC, `2026-01-31`. */
    day: text('day').notNull(),
    /** `DELIVERED`, `within:5`, `failed:131026`. */
    kind: text('kind').notNull(),
    count: number('count').notNull(),
  },
  table => [primaryKey({ columns: [table.workspaceId, table.day, table.kind] })],
)

export const parkedReports = pgTable(
  'parked_reports',
  {
    channelId: text('channel_id').notNull(),
    channelMessageId: text('channel_message_id').notNull(),
    status: text('status').$type<Report['event']['status']>().notNull(),
    at: number('at').notNull(),
    detail: text('detail').notNull(),
    recordedAt: number('recorded_at').notNull(),
    reason: text('reason'),
  },
  table => [
    uniqueIndex('parked_reports_key').on(
      table.channelId,
      table.channelMessageId,
      table.status,
      table.at,
      sql`md5(detail)`,
    ),
    index('parked_reports_age').on(table.recordedAt),
  ],
)

export const rateWindows = pgTable(
  'rate_windows',
  {
    /** `ip:…` or `key:…`. */
    subject: text('subject').primaryKey(),
    startsAt: number('starts_at').notNull(),
    count: number('count').notNull(),
  },
  // Not written with each count, only when a subject's window begins.
  table => [index('rate_windows_age').on(table.startsAt)],
)
