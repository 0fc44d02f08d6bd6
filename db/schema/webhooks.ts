import { sql } from 'drizzle-orm'
import type { EventType, WebhookFormat } from '../../src/base/eventTypes.ts'
import { type DeliveryAttempt, type DeliveryState, type DisabledReason, hasWorked } from '../contract/webhooks.ts'
import type { AccountTables } from './accounts.ts'
import type { Dialect } from './dialect.ts'

type Attempts = readonly DeliveryAttempt[]

/**
 * Nearly all deliveries succeed at once, and there are as many as events and endpoints make together. So of a first
 * attempt that worked three numbers are kept: a row then has less than 100 bytes.
 */
const keptAttempts = {
  write: (attempts: Attempts) => {
    const [only] = attempts
    return only && attempts.length === 1 && hasWorked(only) ? [[only.at, only.durationMs, only.status]] : attempts
  },
  read: (kept: readonly (DeliveryAttempt | readonly [at: number, durationMs: number, status: number])[]): Attempts =>
    kept.map(attempt => {
      if (!('length' in attempt)) return attempt
      const [at, durationMs, status] = attempt
      return { at, durationMs, status, error: null, answer: null }
    }),
}

export function webhookTables(
  { define, index, json, number, own, primaryKey, reference, text }: Dialect,
  { workspaces }: AccountTables,
) {
  const webhookEndpoints = define(
    'webhook_endpoints',
    {
      id: text('id').primaryKey(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      url: text('url').notNull(),
      description: text('description'),
      /** JSON. Null: all but `askedTypes`, or in the platform's format `platformLineTypes`. */
      types: json<readonly EventType[]>('types'),
      /** JSON. Null: events about messages of all lines. */
      lineIds: json<readonly string[]>('line_ids'),
      /** Sealed (AES-256-GCM), and only the vault opens them: src/webhooks/secrets.ts. */
      sealedSecrets: text('sealed_secrets'),
      sealedHeaders: text('sealed_headers'),
      disabledAt: number('disabled_at'),
      disabledReason: text('disabled_reason').$type<DisabledReason>(),
      failingSince: number('failing_since'),
      deliveredAt: number('delivered_at'),
      failedAt: number('failed_at'),
      /** Every event up to this number concerns it not, or has a delivery. */
      position: number('position').notNull(),
      createdAt: number('created_at').notNull(),
      /** The row stays until its deliveries are deleted, which may be many. */
      removedAt: number('removed_at'),
      format: text('format').$type<WebhookFormat>().notNull().default('events'),
      ...own.ownerColumns,
    },
    table => [index('webhook_endpoints_workspace').on(table.workspaceId)],
  )

  /** An event at an endpoint, from its first attempt on. No send writes one. */
  const webhookDeliveries = define(
    'webhook_deliveries',
    {
      endpointId: text('endpoint_id').notNull(),
      /** The number of the event. */
      seq: number('seq').notNull(),
      type: text('type').$type<EventType>().notNull(),
      /** The message that was sent and that the event is about. */
      messageSeq: number('message_seq'),
      state: text('state').$type<DeliveryState>().notNull(),
      attemptCount: number('attempt_count').notNull(),
      /** JSON: the last ones. */
      attempts: json<Attempts>('attempts', keptAttempts).notNull(),
      /** Attempts since the first one, or since somebody asked for another: where the schedule is. */
      step: number('step').notNull(),
      nextAt: number('next_at'),
    },
    table => [
      primaryKey({ columns: [table.endpointId, table.seq] }),
      index('webhook_deliveries_due').on(table.endpointId, table.nextAt, table.seq).where(sql`next_at IS NOT NULL`),
      // Few among many: what did not arrive.
      index('webhook_deliveries_open').on(table.endpointId, table.state, table.seq).where(sql`state <> 'delivered'`),
      // For the order of a message, and for erasure.
      index('webhook_deliveries_message').on(table.messageSeq).where(sql`message_seq IS NOT NULL`),
    ],
  )

  return { webhookEndpoints, webhookDeliveries }
}
