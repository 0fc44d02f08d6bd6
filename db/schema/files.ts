import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'

/**
 * `pending`: it is still to be fetched. `stored`. `failed`: the upstream refuses it for good, or it is not what it
 * should be. `expired`: it could not be fetched in time, or is not kept any more.
 */
export type FileState = 'pending' | 'stored' | 'failed' | 'expired'

export function fileTables({ define, index, number, text }: Dialect) {
  /**
   * Files that users sent, and that callers gave to be sent. A row comes with its message, or before the file, and
   * stays as long as the file may be in the folder or in the bucket: so what a crash leaves there is found by its row.
   */
  const inboundFiles = define(
    'inbound_files',
    {
      /** Its name in the folder or in the bucket, too. */
      id: text('id').primaryKey(),
      /** Empty once it is erased, as all that says whose it was. */
      workspaceId: text('workspace_id').notNull(),
      /** Empty where a caller gave it, as the upstream's id. */
      channelId: text('channel_id').notNull(),
      /** The upstream's id of the file: 7 days. */
      upstreamId: text('upstream_id').notNull(),
      /** As the upstream gave it; null: it gave none. */
      sha256: text('sha256'),
      /** As the upstream says, then as the bytes show. */
      mimeType: text('mime_type'),
      /** That of the user's device. */
      fileName: text('file_name'),
      recordedAt: number('recorded_at').notNull(),
      state: text('state').$type<FileState | 'erased'>().notNull(),
      /** When to fetch it, or, when it is not `pending`, to remove it; null: there is nothing to do. */
      dueAt: number('due_at'),
      /** How often it was tried, to fetch it or to remove it. */
      attempts: number('attempts').notNull(),
      /** How often the upstream sent other bytes than it said. */
      mismatches: number('mismatches').notNull(),
      /** Null until it is stored. */
      bytes: number('bytes'),
    },
    table => [
      // Workspaces take turns.
      index('inbound_files_turns').on(table.workspaceId, table.dueAt).where(sql`due_at IS NOT NULL`),
      index('inbound_files_stored').on(table.recordedAt).where(sql`state = 'stored'`),
      // The oldest of a workspace go first.
      index('inbound_files_kept').on(table.workspaceId, table.recordedAt).where(sql`state = 'stored'`),
      index('inbound_files_age').on(table.recordedAt),
      index('inbound_files_channel').on(table.channelId).where(sql`state = 'stored'`),
      index('inbound_files_workspace').on(table.workspaceId),
    ],
  )
  return { inboundFiles }
}
