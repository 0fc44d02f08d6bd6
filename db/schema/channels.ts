import { sql } from 'drizzle-orm'
import type { AccountTables } from './accounts.ts'
import type { Dialect } from './dialect.ts'

export function channelTables(
  { boolean, define, index, number, primaryKey, reference, seq, text, uniqueIndex }: Dialect,
  { workspaces }: AccountTables,
) {
  const channels = define(
    'channels',
    {
      id: text('id').primaryKey(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      accountId: text('account_id').notNull(),
      /** Of the app that uploads examples for templates (docs/upstream.md#template-creation). Null: not known. */
      appId: text('app_id'),
      /** The three secrets are sealed (AES-256-GCM), and only the vault opens them. */
      sealedAccessToken: text('sealed_access_token').notNull(),
      sealedAppSecret: text('sealed_app_secret').notNull(),
      sealedVerifyToken: text('sealed_verify_token').notNull(),
      createdAt: number('created_at').notNull(),
      updatedAt: number('updated_at').notNull(),
      /** Since when it is disconnected. The row stays for its messages, without secrets. */
      removedAt: number('removed_at'),
      /** Grows with each change of its templates, at least to its time: what is made of them holds until then. */
      templateGeneration: number('template_generation').notNull().default(0),
    },
    table => [uniqueIndex('channels_account').on(table.workspaceId, table.accountId).where(sql`removed_at IS NULL`)],
  )

  const lines = define(
    'lines',
    {
      /** What each message has of its line. Only the tables know of it. */
      seq: seq('seq'),
      id: text('id').notNull(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      channelId: reference('channel_id', () => channels.id),
      upstreamPhoneId: text('upstream_phone_id').notNull(),
      number: text('number').notNull(),
      active: boolean('active').notNull(),
      /** Used by sends that name no line. A workspace has at most one, and it is active. */
      isDefault: boolean('is_default').notNull().default(false),
      /** Messages per second; 0 turns this pacing off. */
      perSecond: number('per_second').notNull(),
      /** Seconds between messages to one recipient; 0 turns this pacing off. */
      pairSeconds: number('pair_seconds').notNull(),
      /** Whether free content may be sent without the window, charged as a template (docs/upstream.md#direct-send). */
      directSend: boolean('direct_send').notNull().default(false),
      createdAt: number('created_at').notNull(),
      /** What users see, as the upstream told when the line was added; null: it did not. */
      name: text('name'),
      /** What the workspace calls it, beside its number. Null: nothing. */
      label: text('label'),
      /** Since when nothing can be sent from it. The row stays for its messages. */
      removedAt: number('removed_at'),
      /** In the upstream's word, as of when the numbers were last read: `GREEN`. Null: it says nothing. */
      quality: text('quality'),
      /** How many new people a day all numbers of its portfolio may write to: `TIER_2K`. */
      messagingLimit: text('messaging_limit'),
    },
    table => [
      uniqueIndex('lines_id').on(table.id),
      uniqueIndex('lines_upstream_phone').on(table.channelId, table.upstreamPhoneId).where(sql`removed_at IS NULL`),
      index('lines_workspace').on(table.workspaceId),
      uniqueIndex('lines_default').on(table.workspaceId).where(sql`is_default`),
    ],
  )

  const templates = define(
    'templates',
    {
      id: text('id').primaryKey(),
      channelId: reference('channel_id', () => channels.id),
      upstreamId: text('upstream_id').notNull(),
      name: text('name').notNull(),
      language: text('language').notNull(),
      category: text('category').notNull(),
      status: text('status').notNull(),
      parameterFormat: text('parameter_format').notNull(),
      /** The upstream's structure, JSON. */
      components: text('components').notNull(),
      /** Why the review refused it, in the upstream's word (`PROMOTIONAL`); null when it did not. */
      rejectedReason: text('rejected_reason'),
      /** When it was last seen to change. */
      updatedAt: number('updated_at').notNull(),
      /** The upstream's time of the last update of its status; null when the listing has changed it since. */
      lastUpdateAt: number('last_update_at'),
    },
    table => [
      uniqueIndex('templates_name').on(table.channelId, table.name, table.language),
      index('templates_upstream').on(table.channelId, table.upstreamId),
    ],
  )

  /** The last callbacks of a channel, for the operator when no statuses come. Null: never. */
  const callbackReceipts = define('callback_receipts', {
    channelId: text('channel_id').primaryKey(),
    /** The last callback with a right signature. */
    acceptedAt: number('accepted_at'),
    refusedAt: number('refused_at'),
    /** Why the last refused one was refused. */
    refusal: text('refusal').$type<'unsigned' | 'wrongSignature'>(),
  })

  /**
   * Files that were uploaded to a line; a link is uploaded once and its id used until it expires. Some are found by
   * that id, too (src/media/outgoing/library.ts).
   */
  const mediaUploads = define(
    'media_uploads',
    {
      lineId: text('line_id').notNull(),
      link: text('link').notNull(),
      format: text('format').notNull(),
      mediaId: text('media_id').notNull(),
      expiresAt: number('expires_at').notNull(),
    },
    table => [
      primaryKey({ columns: [table.lineId, table.link, table.format] }),
      index('media_uploads_expiry').on(table.expiresAt),
      // What a message showed, which has the upstream's id alone.
      index('media_uploads_media').on(table.mediaId),
    ],
  )

  /** The last update of each kind that the upstream sent about an account, a line, a template or a contact. */
  const upstreamUpdates = define(
    'upstream_updates',
    {
      /** The id of ours that it is about. */
      subject: text('subject').notNull(),
      /** The field of the callback, with its event where it has several: `account_update DISABLED_UPDATE`. */
      kind: text('kind').notNull(),
      at: number('at').notNull(),
      recordedAt: number('recorded_at').notNull(),
      /** What the upstream said, JSON. */
      detail: text('detail').notNull(),
    },
    table => [primaryKey({ columns: [table.subject, table.kind] })],
  )

  return { channels, lines, templates, callbackReceipts, mediaUploads, upstreamUpdates }
}
