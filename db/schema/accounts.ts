import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

// Every `_at` is epoch milliseconds, every `_id` is text: the upstream's ids go beyond a safe integer.
// generate.ts adds STRICT to the generated SQL. A test fails when a table lacks it.

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
    /** What each message has of its key. Only the tables know of it. */
    seq: integer('seq').primaryKey(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** SHA-256 of the secret, hex. The secret itself is never stored. */
    secretHash: text('secret_hash').notNull(),
    /** The id of the first of a row of successors. They share idempotency keys. */
    scope: text('scope').notNull(),
    label: text('label'),
    createdAt: integer('created_at').notNull(),
    /** Null: it does not end by itself. */
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    /** CIDR networks, JSON. Null: requests from any address. */
    allowedNetworks: text('allowed_networks', { mode: 'json' }).$type<readonly string[]>(),
    /** Written in batches, not for every request. */
    lastUsedAt: integer('last_used_at'),
  },
  table => [uniqueIndex('api_keys_id').on(table.id), index('api_keys_workspace').on(table.workspaceId)],
)

/** Properties of the database itself. */
export const properties = sqliteTable('properties', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
