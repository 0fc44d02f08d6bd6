import type { MessageDraft } from '../../../db/contract/records.ts'
import { jsonRows, type Pool } from '../../../db/postgres/open.ts'
import { channel, draft, line, t0 } from '../fixtures.ts'
import type { PostgresDatabase } from './database.ts'

/** A workspace with a channel and a line. */
export async function seedLine({ pool, verbs }: PostgresDatabase): Promise<void> {
  await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
  await verbs.connectChannel(channel())
  const { id, workspaceId, channelId, upstreamPhoneId, number } = line()
  await pool.query(
    `INSERT INTO lines (id, workspace_id, channel_id, upstream_phone_id, number, active, per_second, pair_seconds, created_at)
     VALUES ($1, $2, $3, $4, $5, true, 80, 6, $6)`,
    [id, workspaceId, channelId, upstreamPhoneId, number, t0],
  )
}

/** Stores messages as they are after their acceptance. */
export async function putMessages({ query }: Pool, ...drafts: readonly Partial<MessageDraft>[]): Promise<void> {
  const rows = drafts.map(fields => {
    const { idempotency, ...message } = draft(fields)
    return { ...message, idempotencyKey: idempotency?.key ?? null, ...(idempotency ?? {}) }
  })
  const columns = `"id" text, "workspaceId" text, "lineId" text, "contactId" text, recipient text, type text,
    "templateName" text, payload text, "createdAt" bigint, "dispatchedAt" bigint, "idempotencyKey" text, scope text,
    key text, fingerprint text, "expiresAt" bigint`
  await query(
    `WITH given AS (SELECT * FROM json_to_recordset($1::text::json) AS given (${columns})),
       put AS (
         INSERT INTO messages (id, workspace_id, line_seq, contact_id, recipient, type, template_name, status,
           created_at, dispatched_at, idempotency_key)
         SELECT given.id, "workspaceId", lines.seq, "contactId", recipient, type, "templateName", 'QUEUED', "createdAt",
           "dispatchedAt", "idempotencyKey"
         FROM given JOIN lines ON lines.id = "lineId" ORDER BY given.id
         RETURNING id, seq),
       keyed AS (
         INSERT INTO idempotency_keys (message_seq, scope, key, fingerprint, expires_at)
         SELECT seq, scope, key, decode(fingerprint, 'hex'), "expiresAt" FROM given JOIN put USING (id) WHERE key IS NOT NULL),
       counted AS (
         INSERT INTO plan_usage (workspace_id, month, used)
         SELECT "workspaceId", '2026-01', count(*) FROM given GROUP BY 1
         ON CONFLICT (workspace_id, month) DO UPDATE SET used = plan_usage.used + excluded.used)
     INSERT INTO message_contents (message_seq, payload) SELECT seq, payload FROM given JOIN put USING (id)`,
    [jsonRows(rows)],
  )
}
