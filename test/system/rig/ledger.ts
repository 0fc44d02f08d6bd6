import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventsQuery, type StoredEvent } from './receiver.ts'

/** A message as it stands on disk. */
export interface Row {
  readonly id: string
  readonly workspaceId: string
  readonly status: string
  readonly idempotencyKey: string | null
  readonly dispatchedAt: number | null
  readonly acceptedAt: number | null
  readonly lostAt: number | null
  /** 1 when the upstream refused it and nothing says otherwise: it gave its key and its count back. */
  readonly isRefused: 0 | 1
}

/** The database at one moment. */
export interface Ledger {
  readonly messages: ReadonlyMap<string, Row>
  /** Workspace and month, and how far the plan counter and the messages that count disagree. */
  readonly miscounts: readonly { workspaceId: string; month: string; counter: number; messages: number }[]
  /** Workspaces that were let send more in a month than they may. */
  readonly overdrafts: readonly { workspaceId: string; counter: number; limit: number }[]
  /** Messages whose events are not those of what happened to them. */
  readonly mistold: readonly { id: string; status: string; sequence: number | string; events: number | string }[]
  /** What users wrote, by the upstream's ids, and whether an event tells it. */
  readonly inbound: ReadonlyMap<string, boolean>
  /** Files by their ids, and whether each is kept: else it may be on its way still. */
  readonly files: ReadonlyMap<string, boolean>
  /** How many events are of no message. */
  readonly invented: number
}

const rowsQuery = `
  SELECT id, workspace_id AS workspaceId, status, idempotency_key AS idempotencyKey, dispatched_at AS dispatchedAt,
    accepted_at AS acceptedAt, lost_at AS lostAt,
    EXISTS (SELECT 1 FROM message_events e WHERE e.message_seq = m.seq AND e.kind = 'refused') AS isRefused
  FROM messages m`

const miscountsQuery = `
  WITH counted AS (
    SELECT workspace_id, strftime('%Y-%m', created_at / 1000, 'unixepoch') AS month, count(*) AS messages
    FROM messages m
    WHERE NOT EXISTS (SELECT 1 FROM message_events e WHERE e.message_seq = m.seq AND e.kind = 'refused')
    GROUP BY 1, 2
  )
  SELECT coalesce(c.workspace_id, p.workspace_id) AS workspaceId, coalesce(c.month, p.month) AS month,
    coalesce(p.used, 0) AS counter, coalesce(c.messages, 0) AS messages
  FROM counted c FULL JOIN plan_usage p ON p.workspace_id = c.workspace_id AND p.month = c.month
  WHERE coalesce(p.used, 0) <> coalesce(c.messages, 0)`

const overdraftsQuery = `
  SELECT p.workspace_id AS workspaceId, p.used AS counter, w.monthly_message_limit AS "limit"
  FROM plan_usage p JOIN workspaces w ON w.id = p.workspace_id
  WHERE p.used > w.monthly_message_limit`

const has = (column: string) => `CASE WHEN m.${column} IS NULL THEN 0 ELSE 1 END`
const told = (type: string) => `count(CASE WHEN e.type = 'message.${type}' THEN 1 END)`

/** Messages with another number of events than what is known of them gives: none is lost, and none is invented. */
export const mistoldQuery = `
  SELECT m.id, m.status, coalesce(m.sequence, 0) AS sequence, count(e.seq) AS events
  FROM messages m LEFT JOIN events e ON e.workspace_id = m.workspace_id AND e.message_seq = m.seq
  GROUP BY m.seq, m.id, m.status, m.sequence, m.accepted_at, m.reported_sent_at, m.delivered_at, m.read_at, m.lost_at,
    m.gave_up_at, m.failures
  HAVING m.sequence <> 1 + count(e.seq) OR count(e.seq) <> count(DISTINCT e.sequence)
    OR ${told('sent')} <> CASE WHEN m.accepted_at IS NULL AND m.reported_sent_at IS NULL THEN 0 ELSE 1 END
    OR ${told('delivered')} <> ${has('delivered_at')} OR ${told('read')} <> ${has('read_at')}
    OR ${told('unknown')} > ${has('lost_at')} OR (m.status = 'UNKNOWN' AND ${told('unknown')} = 0)
    OR (m.status = 'FAILED' AND ${told('failed')} = 0)
    OR (m.gave_up_at IS NULL AND m.failures IS NULL AND ${told('failed')} > 0)`

/** Events of no message. */
export const inventedQuery = `
  SELECT count(*) AS count FROM events e
  WHERE e.type <> 'message.received' AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = e.message_seq)`

/** Messages of users, and whether each has its event. */
export const inboundQuery = `
  SELECT channel_message_id AS id, CASE WHEN EXISTS (
    SELECT 1 FROM events e WHERE e.workspace_id = m.workspace_id AND e.seq = m.seq AND e.type = 'message.received'
  ) THEN 1 ELSE 0 END AS told FROM inbound_messages m`

/** A row of that. */
export interface InboundRow {
  readonly id: string
  readonly told: number
}

export const filesQuery = `SELECT id, CASE WHEN state = 'stored' THEN 1 ELSE 0 END AS kept FROM inbound_files`

/** A row of that. */
export interface FileRow {
  readonly id: string
  readonly kept: number
}

export const filesIn = (rows: readonly FileRow[]) => new Map(rows.map(({ id, kept }) => [id, kept === 1]))

export const inboundIn = (rows: readonly InboundRow[]) => new Map(rows.map(({ id, told }) => [id, told === 1]))

/** Reads the file beside a gateway that runs, as one moment of it. */
export function readLedger(databasePath: string): Ledger {
  const client = new Database(databasePath, { readonly: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    return client.transaction(() => ({
      messages: new Map(
        client
          .query<Row, []>(rowsQuery)
          .all()
          .map(row => [row.id, row]),
      ),
      miscounts: client.query<Ledger['miscounts'][number], []>(miscountsQuery).all(),
      overdrafts: client.query<Ledger['overdrafts'][number], []>(overdraftsQuery).all(),
      mistold: client.query<Ledger['mistold'][number], []>(mistoldQuery).all(),
      inbound: inboundIn(client.query<InboundRow, []>(inboundQuery).all()),
      files: filesIn(client.query<FileRow, []>(filesQuery).all()),
      invented: client.query<{ count: number }, []>(inventedQuery).get()?.count ?? 0,
    }))()
  } finally {
    client.close()
  }
}

/** @returns all events that are stored */
export function readEvents(databasePath: string): StoredEvent[] {
  const client = new Database(databasePath, { readonly: true, strict: true })
  try {
    return client.query<StoredEvent, []>(eventsQuery).all()
  } finally {
    client.close()
  }
}

/**
 * Checks the file as the kill has left it. A copy is opened, so that the next start still finds the log that it has to
 * recover.
 * @returns what SQLite says of it: `ok`
 */
export function checkIntegrity(databasePath: string, folder: string): string {
  const copies = join(folder, 'copy')
  rmSync(copies, { recursive: true, force: true })
  mkdirSync(copies)
  for (const suffix of ['', '-wal']) {
    const from = databasePath + suffix
    if (existsSync(from)) copyFileSync(from, join(copies, `waypost.db${suffix}`))
  }
  const client = new Database(join(copies, 'waypost.db'), { readwrite: true, strict: true })
  try {
    const findings = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
    return findings.map(row => row.integrity_check).join('; ')
  } finally {
    client.close()
    rmSync(copies, { recursive: true })
  }
}
