import type { KeyScope } from '../../src/base/keyScopes.ts'
import type { Rate } from '../../src/message/costs.ts'
import type { DeletedMessages } from '../../src/message/deleted.ts'
import type { OnOptOut } from '../../src/message/optOut.ts'
import type { QuietHours } from '../../src/message/quietSettings.ts'
import type { Dialect } from './dialect.ts'

export function accountTables({ define, index, json, number, primaryKey, reference, seq, text, uniqueIndex }: Dialect) {
  const workspaces = define('workspaces', {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** What holds: the owners' own limit, at most the ceiling. Null: unlimited. */
    monthlyMessageLimit: number('monthly_message_limit'),
    createdAt: number('created_at').notNull(),
    /** The operator's limit. Null: owners may send without one. */
    monthlyCeiling: number('monthly_ceiling'),
    /** What is read of messages that a person has deleted. */
    deletedMessages: text('deleted_messages').$type<DeletedMessages>().notNull().default('keep'),
    /** Marketing to who wants none. Workspaces from before this column go on sending; new ones refuse. */
    onOptOut: text('on_opt_out').$type<OnOptOut>().notNull().default('send'),
    /** The words by which people opt out, JSON. Null: those that everybody has; an empty list: none. */
    stopWords: json<readonly string[]>('stop_words'),
    /** The words that take it back, in the same way. */
    startWords: json<readonly string[]>('start_words'),
    /** Sent to who opts out by a word. Null: nothing. */
    optOutAnswer: text('opt_out_answer'),
    /** When nobody is written to first. Null: there are no such hours. */
    quietHours: json<QuietHours>('quiet_hours'),
    /**
     * Triggers raise it with each change of what decides on a send: of the settings here that do, and of its keys,
     * lines and channels. What was read in a generation holds as long as it is that of the workspace.
     */
    settingsGeneration: number('settings_generation').notNull().default(0),
  })

  const planUsage = define(
    'plan_usage',
    {
      workspaceId: reference('workspace_id', () => workspaces.id),
      /** Calendar month in UTC, `2026-01`. */
      month: text('month').notNull(),
      used: number('used').notNull(),
    },
    table => [primaryKey({ columns: [table.workspaceId, table.month] })],
  )

  const apiKeys = define(
    'api_keys',
    {
      /** What each message has of its key. Only the tables know of it. */
      seq: seq('seq'),
      id: text('id').notNull(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      /** SHA-256 of the secret, hex. The secret itself is never stored. */
      secretHash: text('secret_hash').notNull(),
      /** Idempotency keys are told apart by it: the id of the first of those that succeed each other by rotation. */
      scope: text('scope').notNull(),
      label: text('label'),
      createdAt: number('created_at').notNull(),
      /** Null: it does not end by itself. */
      expiresAt: number('expires_at'),
      revokedAt: number('revoked_at'),
      /** CIDR networks, JSON. Null: requests from any address. */
      allowedNetworks: json<readonly string[]>('allowed_networks'),
      /** A few seconds behind: it is written in batches, not for every request. */
      lastUsedAt: number('last_used_at'),
      /** What it may do, JSON. Null: the usual. */
      scopes: json<readonly KeyScope[]>('scopes'),
      /** The lines that it sends from and sees, JSON. Null: all. */
      lineIds: json<readonly string[]>('line_ids'),
      /** Marketing to who wants none. Null: as the workspace has it. */
      onOptOut: text('on_opt_out').$type<OnOptOut>(),
    },
    table => [uniqueIndex('api_keys_id').on(table.id), index('api_keys_workspace').on(table.workspaceId)],
  )

  /** Properties of the database itself. */
  const properties = define('properties', {
    name: text('name').primaryKey(),
    value: text('value').notNull(),
  })

  /** What needs attention, and somebody of the workspace has decided that it does not, for a while. */
  const putAwayFindings = define(
    'put_away_findings',
    {
      workspaceId: reference('workspace_id', () => workspaces.id),
      /** Which finding: a hash of what it is about, and since when. */
      finding: text('finding').notNull(),
      /** The name of who decided, as it was. */
      by: text('by_name').notNull(),
      at: number('at').notNull(),
    },
    table => [primaryKey({ columns: [table.workspaceId, table.finding] })],
  )

  /** What one message costs by category and country, as somebody of the workspace has given it. */
  const priceRates = define('price_rates', {
    workspaceId: reference('workspace_id', () => workspaces.id).primaryKey(),
    rates: json<readonly Rate[]>('rates').notNull(),
    setAt: number('set_at').notNull(),
  })

  return { workspaces, planUsage, putAwayFindings, priceRates, apiKeys, properties }
}

export type AccountTables = ReturnType<typeof accountTables>
