import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { FlowSession, Message, Report, UserRole } from './records.ts'

// Every `_at` is epoch milliseconds, every `_id` is text: the upstream's ids go beyond a safe integer.
// The generated SQL gets STRICT added by hand; a test reads the finished schema and fails when one table lacks it.

export const workspaces = sqliteTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Null: unlimited. */
  monthlyMessageLimit: integer('monthly_message_limit'),
  createdAt: integer('created_at').notNull(),
})

export const planUsage = sqliteTable(
  'plan_usage',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Calendar month in UTC, `2026-01`. */
    month: text('month').notNull(),
    used: integer('used').notNull(),
  },
  table => [primaryKey({ columns: [table.workspaceId, table.month] })],
)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** SHA-256 of the secret, hex. The secret itself is never stored. */
    secretHash: text('secret_hash').notNull(),
    label: text('label'),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  table => [index('api_keys_workspace').on(table.workspaceId)],
)

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    email: text('email').notNull(),
    name: text('name'),
    role: text('role').$type<UserRole>().notNull(),
    /** Argon2id. The password itself is never stored. */
    passwordHash: text('password_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  table => [uniqueIndex('users_email').on(table.email), index('users_workspace').on(table.workspaceId)],
)

export const channels = sqliteTable(
  'channels',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    accountId: text('account_id').notNull(),
    /** The three secrets are sealed (AES-256-GCM); the database never holds them in the clear. */
    sealedAccessToken: text('sealed_access_token').notNull(),
    sealedAppSecret: text('sealed_app_secret').notNull(),
    sealedVerifyToken: text('sealed_verify_token').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  table => [uniqueIndex('channels_account').on(table.workspaceId, table.accountId)],
)

export const lines = sqliteTable(
  'lines',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id),
    upstreamPhoneId: text('upstream_phone_id').notNull(),
    number: text('number').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    /** Used by sends that name no line. Only an active line is one. */
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    /** Messages per second; 0 turns this pacing off. */
    perSecond: integer('per_second').notNull(),
    /** Seconds between messages to one recipient; 0 turns this pacing off. */
    pairSeconds: integer('pair_seconds').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('lines_upstream_phone').on(table.channelId, table.upstreamPhoneId),
    index('lines_workspace').on(table.workspaceId),
    uniqueIndex('lines_default').on(table.workspaceId).where(sql`is_default`),
  ],
)

export const templates = sqliteTable(
  'templates',
  {
    id: text('id').primaryKey(),
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id),
    upstreamId: text('upstream_id').notNull(),
    name: text('name').notNull(),
    language: text('language').notNull(),
    category: text('category').notNull(),
    status: text('status').notNull(),
    parameterFormat: text('parameter_format').notNull(),
    components: text('components').notNull(),
    updatedAt: integer('updated_at').notNull(),
    newsAt: integer('news_at'),
  },
  table => [uniqueIndex('templates_name').on(table.channelId, table.name, table.language)],
)

export const contacts = sqliteTable(
  'contacts',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** `+` and digits. Null for a user who is known by the upstream's user id alone. */
    phone: text('phone'),
    /** The upstream's id of the user for this business. */
    userId: text('user_id'),
    name: text('name'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  table => [
    uniqueIndex('contacts_phone').on(table.workspaceId, table.phone),
    uniqueIndex('contacts_user').on(table.workspaceId, table.userId),
  ],
)

/** What users sent, as it came: nothing is dropped because its kind is unknown. */
export const inboundMessages = sqliteTable(
  'inbound_messages',
  {
    channelId: text('channel_id').notNull(),
    channelMessageId: text('channel_message_id').notNull(),
    /** Null when the message names nobody. */
    contactId: text('contact_id'),
    lineId: text('line_id'),
    kind: text('kind').notNull(),
    at: integer('at').notNull(),
    recordedAt: integer('recorded_at').notNull(),
    /** The upstream's message, JSON. */
    content: text('content').notNull(),
  },
  table => [
    // The key is also what folds a repeated callback into one entry.
    primaryKey({ columns: [table.channelId, table.channelMessageId] }),
    index('inbound_messages_contact').on(table.contactId, table.at),
    index('inbound_messages_age').on(table.recordedAt),
  ],
)

/** A flow that a contact was sent and has not answered yet. */
export const flowSessions = sqliteTable(
  'flow_sessions',
  {
    /** The message that opened it. */
    messageId: text('message_id').primaryKey(),
    contactId: text('contact_id').notNull(),
    lineId: text('line_id').notNull(),
    flowToken: text('flow_token'),
    openedAt: integer('opened_at').notNull(),
    closedAt: integer('closed_at'),
    closedBy: text('closed_by').$type<NonNullable<FlowSession['closedBy']>>(),
  },
  table => [index('flow_sessions_active').on(table.contactId, table.lineId).where(sql`closed_at IS NULL`)],
)

/** Files that were uploaded to a line; a link is uploaded once and its id used until it expires. */
export const mediaUploads = sqliteTable(
  'media_uploads',
  {
    lineId: text('line_id').notNull(),
    link: text('link').notNull(),
    format: text('format').notNull(),
    mediaId: text('media_id').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.lineId, table.link, table.format] }),
    index('media_uploads_expiry').on(table.expiresAt),
  ],
)

export const messages = sqliteTable(
  'messages',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    channelId: text('channel_id').notNull(),
    lineId: text('line_id').notNull(),
    contactId: text('contact_id'),
    recipient: text('recipient').notNull(),
    type: text('type').$type<Message['type']>().notNull(),
    /** Read off the facts below by the state machine; stored for the indexes. */
    status: text('status').$type<Message['status']>().notNull(),
    idempotencyKey: text('idempotency_key'),
    /** The upstream request body. Emptied once nothing sends it any more: the message is settled, or `UNKNOWN`. */
    payload: text('payload'),
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
    index('messages_workspace').on(table.workspaceId, table.id),
    index('messages_channel_message').on(table.channelMessageId).where(sql`channel_message_id IS NOT NULL`),
    // Recovery and the settling job look only at what is not settled: a handful of rows, however many are stored.
    index('messages_unsettled').on(table.status, table.id).where(sql`status IN ('QUEUED', 'UNKNOWN')`),
  ],
)

export const messageEvents = sqliteTable(
  'message_events',
  {
    messageId: text('message_id').notNull(),
    kind: text('kind').notNull(),
    at: integer('at').notNull(),
    /** When we learnt of it. */
    recordedAt: integer('recorded_at').notNull(),
    /** JSON: the upstream's errors, codes and trace ids; empty when there is nothing to add. */
    detail: text('detail').notNull(),
  },
  // The key is also what folds a repeated callback into one entry; two failures of one second are two.
  table => [primaryKey({ columns: [table.messageId, table.kind, table.at, table.detail] })],
)

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    workspaceId: text('workspace_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the canonical body, hex. */
    fingerprint: text('fingerprint').notNull(),
    messageId: text('message_id').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.key] }),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
)

export const parkedReports = sqliteTable(
  'parked_reports',
  {
    channelId: text('channel_id').notNull(),
    channelMessageId: text('channel_message_id').notNull(),
    status: text('status').$type<Report['event']['status']>().notNull(),
    at: integer('at').notNull(),
    recordedAt: integer('recorded_at').notNull(),
    reason: text('reason'),
    detail: text('detail').notNull(),
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

/** Small facts about the database itself. */
export const properties = sqliteTable('properties', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
