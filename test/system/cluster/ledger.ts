import { SQL } from 'bun'
import {
  type FileRow,
  filesIn,
  filesQuery,
  type InboundRow,
  inboundIn,
  inboundQuery,
  inventedQuery,
  type Ledger,
  mistoldQuery,
  type Row,
} from '../rig/ledger.ts'
import { eventsQuery, type StoredEvent } from '../rig/receiver.ts'

const isRefused = `EXISTS (SELECT 1 FROM message_events e WHERE e.message_seq = m.seq AND e.kind = 'refused')`

const rowsQuery = `
  SELECT id, workspace_id AS "workspaceId", status, idempotency_key AS "idempotencyKey",
    dispatched_at::float8 AS "dispatchedAt", accepted_at::float8 AS "acceptedAt", lost_at::float8 AS "lostAt",
    (${isRefused})::int AS "isRefused"
  FROM messages m`

const miscountsQuery = `
  WITH counted AS (
    SELECT workspace_id, to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
      count(*)::int AS messages
    FROM messages m WHERE NOT ${isRefused} GROUP BY 1, 2
  )
  SELECT coalesce(c.workspace_id, p.workspace_id) AS "workspaceId", coalesce(c.month, p.month) AS month,
    coalesce(p.used, 0)::float8 AS counter, coalesce(c.messages, 0) AS messages
  FROM counted c FULL JOIN plan_usage p ON p.workspace_id = c.workspace_id AND p.month = c.month
  WHERE coalesce(p.used, 0) <> coalesce(c.messages, 0)`

const overdraftsQuery = `
  SELECT p.workspace_id AS "workspaceId", p.used::float8 AS counter, w.monthly_message_limit::float8 AS "limit"
  FROM plan_usage p JOIN workspaces w ON w.id = p.workspace_id
  WHERE p.used > w.monthly_message_limit`

async function asking<Result>(url: string, work: (client: SQL) => Promise<Result>): Promise<Result> {
  const client = new SQL({ url, max: 1 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Reads the database beside the instances that run on it, as one moment of it. */
export const readServerLedger = (url: string): Promise<Ledger> =>
  asking(url, client =>
    client.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async transaction => {
      const rows: Row[] = await transaction.unsafe(rowsQuery)
      const miscounts: Ledger['miscounts'] = await transaction.unsafe(miscountsQuery)
      const overdrafts: Ledger['overdrafts'] = await transaction.unsafe(overdraftsQuery)
      const mistold: Ledger['mistold'] = await transaction.unsafe(mistoldQuery)
      const inbound: InboundRow[] = await transaction.unsafe(inboundQuery)
      const files: FileRow[] = await transaction.unsafe(filesQuery)
      const [{ count }]: [{ count: string }] = await transaction.unsafe(inventedQuery)
      const messages = new Map(rows.map(row => [row.id, row]))
      const users = { inbound: inboundIn(inbound), files: filesIn(files) }
      return { messages, miscounts, overdrafts, mistold, ...users, invented: Number(count) }
    }),
  )

/** @returns all events that are stored */
export const readServerEvents = (url: string): Promise<StoredEvent[]> =>
  asking(url, async client => await client.unsafe(eventsQuery))

export const countQueued = (url: string): Promise<number> =>
  asking(url, async client => {
    const [row] = await client.unsafe(`SELECT count(*)::int AS count FROM messages WHERE status = 'QUEUED'`)
    return (row as { count: number }).count
  })
