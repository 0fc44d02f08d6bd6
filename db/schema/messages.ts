import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Message, Report } from '../records.ts'

/**
 * With a rowid, and so are the contents and the idempotency keys: a leaf of 2 KiB then holds whole rows, where a table
 * without one puts each row above 488 bytes on pages of its own, and its indexes repeat `seq`, of some 4 bytes, instead of
 * the id.
 */
export const messages = sqliteTable(
  'messages',
  {
    /** In the order of acceptance. Only the tables beside this one and its indexes know of it. */
    seq: integer('seq').primaryKey(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    /** The line, and with it the channel. A number, as the key's: an id takes 31 bytes, in each of a million rows. */
    lineSeq: integer('line_seq').notNull(),
    contactId: text('contact_id'),
    recipient: text('recipient').notNull(),
    type: text('type').$type<Message['type']>().notNull(),
    /** The template's name; null for any other type. */
    templateName: text('template_name'),
    /** Computed from the columns below by the state machine; stored for the indexes. */
    status: text('status').$type<Message['status']>().notNull(),
    /** The key that sent it; null: somebody in the console did. */
    apiKeySeq: integer('api_key_seq'),
    idempotencyKey: text('idempotency_key'),
    /** The caller's `X-Request-Id`. One of ours would add nothing to the log. */
    requestId: text('request_id'),
    createdAt: integer('created_at').notNull(),
    dispatchedAt: integer('dispatched_at'),
    acceptedAt: integer('accepted_at'),
    reportedSentAt: integer('reported_sent_at'),
    deliveredAt: integer('delivered_at'),
    readAt: integer('read_at'),
    failures: text('failures'),
    gaveUpAt: integer('gave_up_at'),
    gaveUpReason: text('gave_up_reason'),
    lostAt: integer('lost_at'),
    channelMessageId: text('channel_message_id'),
    waId: text('wa_id'),
  },
  table => [
    uniqueIndex('messages_id').on(table.id),
    // Each ends with `seq`, which SQLite adds: messages of one moment are in the order of their acceptance.
    index('messages_workspace').on(table.workspaceId, table.createdAt),
    // Begins with the workspace, so that no list reads what others have. The end of its id is enough to tell workspaces
    // apart, and then the whole id is compared: with all of it, a send under load would write an eighth more to the log.
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
)

/**
 * The upstream request bodies. A table of its own: a message is written anew at each of its events, and these only
 * once, at its acceptance. The oldest contents are the first rows.
 */
export const messageContents = sqliteTable('message_contents', {
  messageSeq: integer('message_seq').primaryKey(),
  payload: text('payload').notNull(),
})

export const messageEvents = sqliteTable(
  'message_events',
  {
    messageSeq: integer('message_seq').notNull(),
    kind: text('kind').notNull(),
    at: integer('at').notNull(),
    /** JSON: the upstream's errors, codes and trace ids; empty when there is nothing to add. */
    detail: text('detail').notNull(),
    /** When it was recorded here. */
    recordedAt: integer('recorded_at').notNull(),
  },
  // The key also makes a repeated callback one entry. Two failures of one second are two entries.
  table => [primaryKey({ columns: [table.messageSeq, table.kind, table.at, table.detail] })],
)

/** The living keys of callers; each row is found by its message too, and the oldest key is the first row. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    messageSeq: integer('message_seq').primaryKey(),
    /** The scope of the API key, so that the keys of two systems never collide. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the canonical body. */
    fingerprint: blob('fingerprint', { mode: 'buffer' }).notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [uniqueIndex('idempotency_keys_key').on(table.scope, table.key)],
)

/** How many messages of a day became what: see src/message/counts.ts. The day is that of their acceptance. */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    workspaceId: text('workspace_id').notNull(),
    /** Calendar day in UTC, `2026-01-31`. */
    day: text('day').notNull(),
    /** `DELIVERED`, `within:5`, `failed:131026`. */
    kind: text('kind').notNull(),
    count: integer('count').notNull(),
  },
  table => [primaryKey({ columns: [table.workspaceId, table.day, table.kind] })],
)

export const parkedReports = sqliteTable(
  'parked_reports',
  {
    channelId: text('channel_id').notNull(),
    channelMessageId: text('channel_message_id').notNull(),
    status: text('status').$type<Report['event']['status']>().notNull(),
    at: integer('at').notNull(),
    detail: text('detail').notNull(),
    recordedAt: integer('recorded_at').notNull(),
    reason: text('reason'),
  },
  table => [
    primaryKey({ columns: [table.channelId, table.channelMessageId, table.status, table.at, table.detail] }),
    index('parked_reports_age').on(table.recordedAt),
  ],
)

export const rateWindows = sqliteTable('rate_windows', {
  /** `ip:…` or `key:…`. */
  subject: text('subject').primaryKey(),
  startsAt: integer('starts_at').notNull(),
  count: integer('count').notNull(),
})
