import { sql } from 'drizzle-orm'
import type { JsonObject } from '../../src/base/json.ts'
import type { BatchReason, BatchState, DuplicateRule, ItemState } from '../../src/message/batches.ts'
import type { AccountTables } from './accounts.ts'
import type { Dialect } from './dialect.ts'

export function batchTables(
  { boolean, define, index, json, number, primaryKey, reference, text, uniqueIndex }: Dialect,
  { workspaces }: AccountTables,
) {
  /** Many sends as one thing. */
  const batches = define(
    'batches',
    {
      id: text('id').primaryKey(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      name: text('name'),
      state: text('state').$type<BatchState>().notNull(),
      /** JSON: why it is paused. Null: it is not. */
      reason: json<BatchReason>('reason'),
      /** The key in whose name its messages go: that of who started or resumed it last. Null: no key, the operator. */
      keyId: text('key_id'),
      /** The scope of its idempotency key, which is in force as long as the row is there. */
      scope: text('scope').notNull(),
      idempotencyKey: text('idempotency_key'),
      /** SHA-256 of the canonical body that made it. */
      fingerprint: text('fingerprint'),
      /** JSON: the fields of a send that its items share. */
      defaults: json<JsonObject>('defaults').notNull(),
      duplicates: text('duplicates').$type<DuplicateRule>().notNull(),
      /** How many items it has. */
      total: number('total').notNull(),
      createdAt: number('created_at').notNull(),
      /** When it starts by itself. */
      sendAt: number('send_at'),
      startedAt: number('started_at'),
      endedAt: number('ended_at'),
      /** Whether its items still have what they say. */
      keepsContent: boolean('keeps_content').notNull(),
    },
    table => [
      index('batches_workspace').on(table.workspaceId, table.id),
      uniqueIndex('batches_key').on(table.scope, table.idempotencyKey),
      // For their age.
      index('batches_ended').on(table.endedAt).where(sql`ended_at IS NOT NULL`),
      index('batches_contents').on(table.endedAt).where(sql`keeps_content`),
      // Few among many: what the runner looks at.
      index('batches_open').on(table.state, table.sendAt).where(sql`state IN ('scheduled', 'running')`),
    ],
  )

  /** The sends of a batch. A message takes nothing from it: the row stays, and knows the message. */
  const batchItems = define(
    'batch_items',
    {
      batchId: text('batch_id').notNull(),
      /** Its place in the batch, from 0. */
      number: number('number').notNull(),
      state: text('state').$type<ItemState>().notNull(),
      /**
       * The id of its message, chosen and stored before the message is made. So after a kill between the two, whether
       * it was made is known for good: ids of messages are unique.
       */
      messageId: text('message_id'),
      /** How often it was to become a message: only `retry` makes that more than once. */
      attempt: number('attempt').notNull(),
      /** As it names it: a number, the id of a contact or of a user. Empty once it is erased. */
      recipient: text('recipient').notNull(),
      reference: text('reference'),
      /** JSON: its own fields of a send. Null once they are not kept any more. */
      body: json<JsonObject>('body'),
      /** JSON: why it was left out, or refused. */
      reason: json<BatchReason>('reason'),
    },
    table => [
      primaryKey({ columns: [table.batchId, table.number] }),
      index('batch_items_state').on(table.batchId, table.state, table.number),
      // Finds what the batch sends twice, and what an erasure takes.
      index('batch_items_recipient').on(table.recipient, table.batchId),
    ],
  )

  return { batches, batchItems }
}
