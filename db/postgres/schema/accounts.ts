import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { jsonText, number } from './columns.ts'

// Every `_at` is epoch milliseconds, every `_id` is text: the upstream's ids go beyond a safe integer.
// The tables are those of db/schema, which SQLite has. generate.ts adds the order of bytes (COLLATE "C") to every text.

export const workspaces = pgTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Null: unlimited. */
  monthlyMessageLimit: number('monthly_message_limit'),
  createdAt: number('created_at').notNull(),
})

export const planUsage = pgTable(
  'plan_usage',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Calendar month in UTC, `2026-01`. */
    month: text('month').notNull(),
    used: number('used').notNull(),
  },
  table => [primaryKey({ columns: [table.workspaceId, table.month] })],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    /** What each message has of its key. Only the tables know of it. */
    seq: number('seq').primaryKey().generatedByDefaultAsIdentity(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** SHA-256 of the secret, hex. The secret itself is never stored. */
    secretHash: text('secret_hash').notNull(),
    /** The id of the first of a row of successors. They share idempotency keys. */
    scope: text('scope').notNull(),
    label: text('label'),
    createdAt: number('created_at').notNull(),
    /** Null: it does not end by itself. */
    expiresAt: number('expires_at'),
    revokedAt: number('revoked_at'),
    /** CIDR networks, JSON. Null: requests from any address. */
    allowedNetworks: jsonText<readonly string[]>('allowed_networks'),
    /** Written in batches, not for every request. */
    lastUsedAt: number('last_used_at'),
  },
  table => [uniqueIndex('api_keys_id').on(table.id), index('api_keys_workspace').on(table.workspaceId)],
)

/** Properties of the database itself. */
export const properties = pgTable('properties', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
