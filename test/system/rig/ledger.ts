import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { brokenPromiseProperty } from '../../../src/doctor/promiseCheck.ts'
import { monthOf } from '../../../src/message/plan.ts'
import type { BatchRow, ItemRow } from './batches.ts'
import type { StoredEvent } from './receiver.ts'

/** A message as it is stored. */
export interface Row {
  readonly id: string
  readonly workspaceId: string
  readonly status: string
  readonly idempotencyKey: string | null
  readonly createdAt: number
  /** When it is to leave, and when it was let go; null: it was not scheduled, or is not released. */
  readonly dueAt: number | null
  readonly releasedAt: number | null
  readonly dispatchedAt: number | null
  readonly acceptedAt: number | null
  readonly lostAt: number | null
  /** 1 when the upstream refused it and nothing says otherwise: it gave its key and its count back. */
  readonly isRefused: 0 | 1
}

interface Usage {
  readonly workspaceId: string
  readonly month: string
  readonly used: number
  readonly limit: number | null
}

interface Uncounted {
  readonly workspaceId: string
  readonly createdAt: number
}

/** The database at one moment. */
export interface Ledger {
  readonly messages: ReadonlyMap<string, Row>
  /** What the plan of each workspace has counted in each month, `2026-01`. */
  readonly usage: readonly Usage[]
  /** Messages whose events are not those of what happened to them. */
  readonly mistold: readonly { id: string; status: string; sequence: number; events: number }[]
  /** What users wrote, by the upstream's ids, and whether an event tells it. */
  readonly inbound: ReadonlyMap<string, boolean>
  /** Files by their ids, and whether each is kept: else it may be on its way still. */
  readonly files: ReadonlyMap<string, boolean>
  /** By their ids. */
  readonly batches: ReadonlyMap<string, BatchRow>
  /** How many events of a message are of none that there is. */
  readonly invented: number
  /** What a gateway has told of a promise that it found broken: it refused the step, and went on. */
  readonly broken: readonly string[]
}

export const emptyLedger: Ledger = {
  messages: new Map(),
  usage: [],
  mistold: [],
  inbound: new Map(),
  files: new Map(),
  batches: new Map(),
  invented: 0,
  broken: [],
}

// Each statement is for both engines. PostgreSQL gives its long numbers as texts, unless they are cast.
const long = (column: string) => `CAST(${column} AS DOUBLE PRECISION)`

const rowsQuery = `
  SELECT id, workspace_id AS "workspaceId", status, idempotency_key AS "idempotencyKey",
    ${long('created_at')} AS "createdAt", ${long('due_at')} AS "dueAt", ${long('released_at')} AS "releasedAt",
    ${long('dispatched_at')} AS "dispatchedAt", ${long('accepted_at')} AS "acceptedAt", ${long('lost_at')} AS "lostAt",
    CASE WHEN EXISTS (SELECT 1 FROM message_events e WHERE e.message_seq = m.seq AND e.kind = 'refused')
      THEN 1 ELSE 0 END AS "isRefused"
  FROM messages m`

const usageQuery = `
  SELECT p.workspace_id AS "workspaceId", p.month, ${long('p.used')} AS used,
    ${long('w.monthly_message_limit')} AS "limit"
  FROM plan_usage p JOIN workspaces w ON w.id = p.workspace_id`

/** The newest on SQLite, which no month on disk has yet. */
const uncountedQuery = `
  SELECT workspace_id AS "workspaceId", ${long('created_at')} AS "createdAt" FROM messages
  WHERE seq > (SELECT CAST(value AS BIGINT) FROM properties WHERE name = 'counted') AND due_at IS NULL`

const has = (column: string) => `CASE WHEN m.${column} IS NULL THEN 0 ELSE 1 END`
const told = (type: string) => `count(CASE WHEN e.type = 'message.${type}' THEN 1 END)`

/**
 * Messages with another number of events than what is known of them gives: none is lost, and none is invented. What is
 * sent at once begins without an event, what is scheduled with the one that says so. By the index of events by workspace,
 * SQLite would read all of them for each message.
 */
const mistoldQuery = `
  SELECT m.id, m.status, ${long('coalesce(m.sequence, 0)')} AS sequence, ${long('count(e.seq)')} AS events
  FROM messages m LEFT JOIN events e ON e.message_seq = m.seq AND e.workspace_id || '' = m.workspace_id
  GROUP BY m.seq, m.id, m.status, m.sequence, m.accepted_at, m.reported_sent_at, m.delivered_at, m.read_at, m.lost_at,
    m.gave_up_at, m.failures, m.due_at, m.released_at
  HAVING m.sequence <> 1 - ${has('due_at')} + count(e.seq) OR count(e.seq) <> count(DISTINCT e.sequence)
    OR ${told('sent')} <> CASE WHEN m.accepted_at IS NULL AND m.reported_sent_at IS NULL THEN 0 ELSE 1 END
    OR ${told('scheduled')} < ${has('due_at')} OR ${told('released')} <> ${has('released_at')}
    OR ${told('delivered')} <> ${has('delivered_at')} OR ${told('read')} <> ${has('read_at')}
    OR ${told('unknown')} > ${has('lost_at')} OR (m.status = 'UNKNOWN' AND ${told('unknown')} = 0)
    OR (m.status = 'FAILED' AND ${told('failed')} = 0)
    OR (m.gave_up_at IS NULL AND m.failures IS NULL AND ${told('failed')} > 0)`

/** Events of no message. What users wrote, and what becomes of a batch, is none. */
const inventedQuery = `
  SELECT ${long('count(*)')} AS count FROM events e
  WHERE e.type <> 'message.received' AND e.type NOT LIKE 'batch.%'
    AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = e.message_seq)`

/** Messages of users, and whether each has its event. */
const inboundQuery = `
  SELECT channel_message_id AS id, CASE WHEN EXISTS (
    SELECT 1 FROM events e WHERE e.workspace_id = m.workspace_id AND e.seq = m.seq AND e.type = 'message.received'
  ) THEN 1 ELSE 0 END AS told FROM inbound_messages m`

const filesQuery = `SELECT id, CASE WHEN state = 'stored' THEN 1 ELSE 0 END AS kept FROM inbound_files`

const batchesQuery = `
  SELECT id, workspace_id AS "workspaceId", idempotency_key AS "idempotencyKey", state, ${long('total')} AS total
  FROM batches`

const itemsQuery = `
  SELECT batch_id AS "batchId", ${long('number')} AS number, state, recipient, message_id AS "messageId"
  FROM batch_items ORDER BY batch_id, number`

const brokenQuery = `SELECT value FROM properties WHERE name = '${brokenPromiseProperty}'`

const eventsQuery = `
  SELECT workspace_id AS "workspaceId", ${long('seq')} AS seq, type, ${long('message_seq')} AS "messageSeq" FROM events`

const waitingQuery = `SELECT ${long('count(*)')} AS count FROM messages WHERE status IN ('QUEUED', 'SCHEDULED')`

const openQuery = `${waitingQuery}
  UNION ALL SELECT ${long('count(*)')} AS count FROM batches WHERE state IN ('scheduled', 'running')`

const leftQuery = `
  SELECT ${long('count(*)')} AS count FROM batch_items WHERE state IN ('waiting', 'claimed')
  UNION ALL SELECT ${long('count(*)')} AS count FROM messages WHERE status = 'SCHEDULED'`

/** What gateways have still to let out by themselves: items of batches, and scheduled messages. */
export interface Left {
  readonly items: number
  readonly scheduled: number
}

type Ask = <Answer>(statement: string) => Promise<readonly Answer[]>

/**
 * Asks a database beside the gateways that run on it, about one moment.
 * @param database the path of its file, or its URL on a server
 */
async function asking<Result>(database: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const isOnServer = database.startsWith('postgres:')
  const client = isOnServer
    ? new SQL({ url: database, max: 1 })
    : new SQL({ adapter: 'sqlite', filename: database, readonly: true })
  try {
    if (!isOnServer) await client.unsafe('PRAGMA busy_timeout = 5000')
    const how = isOnServer ? 'ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'DEFERRED'
    return await client.begin(how, transaction => work(async statement => [...(await transaction.unsafe(statement))]))
  } finally {
    await client.close()
  }
}

export const readLedger = (database: string): Promise<Ledger> =>
  asking(database, async ask => ({
    messages: new Map((await ask<Row>(rowsQuery)).map(row => [row.id, row])),
    usage: usageOf(await ask<Usage>(usageQuery), await ask<Uncounted>(uncountedQuery)),
    mistold: await ask<Ledger['mistold'][number]>(mistoldQuery),
    inbound: new Map((await ask<{ id: string; told: number }>(inboundQuery)).map(({ id, told }) => [id, told === 1])),
    files: new Map((await ask<{ id: string; kept: number }>(filesQuery)).map(({ id, kept }) => [id, kept === 1])),
    batches: batchesOf(await ask<Omit<BatchRow, 'items'>>(batchesQuery), await ask<ItemRow>(itemsQuery)),
    invented: (await ask<{ count: number }>(inventedQuery))[0]?.count ?? 0,
    broken: (await ask<{ value: string }>(brokenQuery)).map(({ value }) => value),
  }))

const usageOf = (usage: readonly Usage[], uncounted: readonly Uncounted[]): readonly Usage[] =>
  usage.map(row => {
    const isItsOwn = ({ workspaceId, createdAt }: Uncounted) =>
      workspaceId === row.workspaceId && monthOf(createdAt) === row.month
    return { ...row, used: row.used + uncounted.filter(isItsOwn).length }
  })

function batchesOf(rows: readonly Omit<BatchRow, 'items'>[], items: readonly ItemRow[]): Ledger['batches'] {
  const ofBatch = Map.groupBy(items, ({ batchId }) => batchId)
  return new Map(rows.map(row => [row.id, { ...row, items: ofBatch.get(row.id) ?? [] }]))
}

/** @returns all events that are stored */
export const readEvents = (database: string) => asking(database, ask => ask<StoredEvent>(eventsQuery))

/** @returns how many messages wait to be sent, or for what became of them; and how many batches have items to send */
export const countOpen = (database: string) => asking(database, ask => counts(ask, openQuery))

/** @returns how many of these messages wait to be sent, or for what became of them */
export const countWaiting = (database: string, ids: readonly string[]): Promise<number> =>
  asking(database, async ask => {
    const names = ids.map(id => `'${id}'`).join()
    const [count = 0] = names === '' ? [] : await counts(ask, `${waitingQuery} AND id IN (${names})`)
    return count
  })

/** @returns what has still to leave by itself: what a fault at this moment finds */
export const countLeft = (database: string): Promise<Left> =>
  asking(database, async ask => {
    const [items = 0, scheduled = 0] = await counts(ask, leftQuery)
    return { items, scheduled }
  })

const counts = async (ask: Ask, query: string) => (await ask<{ count: number }>(query)).map(({ count }) => count)

/**
 * Checks the file as the kill has left it. A copy is opened, so that the next start still finds the log that it has to
 * recover.
 * @returns what SQLite says of it: `ok`; and each row that refers to none
 */
export function checkIntegrity(databasePath: string, folder: string): string {
  const copies = join(folder, 'copy')
  rmSync(copies, { recursive: true, force: true })
  mkdirSync(copies)
  for (const suffix of ['', '-wal', '-journal']) {
    const from = databasePath + suffix
    if (existsSync(from)) copyFileSync(from, join(copies, `waypost.db${suffix}`))
  }
  const client = new Database(join(copies, 'waypost.db'), { readwrite: true, strict: true })
  try {
    const findings = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
    const orphans = client.query('PRAGMA foreign_key_check').values()
    return [...findings.map(row => row.integrity_check), ...orphans.map(row => row.join(' '))].join('; ')
  } finally {
    client.close()
    rmSync(copies, { recursive: true })
  }
}
