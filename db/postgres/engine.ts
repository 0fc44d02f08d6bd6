import { getTableColumns, is, Placeholder, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { messageStateOf } from '../contract/statusView.ts'
import { type Engine, type FoundKey, first } from '../rules/engine.ts'
import { searchStep } from './messageSearch.ts'
import { countDays, load } from './moves.ts'
import { type Connection, jsonRows } from './open.ts'
import { shortenPaces } from './pace.ts'
import { columns, conditions } from './rows.ts'
import { changes, channelPauses, linePaces } from './schema/instances.ts'
import { tables } from './schema/tables.ts'
import { detailText } from './settlement.ts'
import { tell } from './tell.ts'

/** @returns what the rules work with, on a connection inside a transaction, or on the pool for reads */
export const engineOf = (connection: Connection): Engine => ({
  db: connection.db,
  tables,
  columns,
  conditions,
  isAnyOf: (column, values) => sql`${column} = ANY(${is(values, Placeholder) ? values : sql.param(values)})`,
  listed: values => values,
  async put(table, rows) {
    const { fields, text } = putting(table)
    const driven = rows.map(row =>
      Object.fromEntries(
        fields.map(([field, column]) => [column.name, driverValue(column, row[field as keyof typeof row])]),
      ),
    )
    await connection.query(text, [jsonRows(driven)])
  },
  locking: query => query.for('update'),
  holding: query => query.for('key share'),
  lockContacts: workspaceIds => lockContacts(connection, workspaceIds),
  tell: events => tell(connection, events),
  async record({ messageId, event, detail, recordedAt }) {
    const moves = await load(connection, { ids: [messageId], keepsContents: true })
    if (!moves.byId(messageId)) return null
    const moved = moves.move(messageId, event, recordedAt, detailText(detail))
    await moves.write()
    return messageStateOf(moved)
  },
  usedKey: named => first(connection.query<FoundKey>(selectUsedKey, [named.scope, named.key])),
  count: counts => countDays(connection, counts),
  countInPlan: month => countInPlan(connection, month),
  uncounted: async () => ({ months: [], days: [], underWay: [] }),
  asKept: value => JSON.parse(jsonRows(value)),
  async deleteSome(table, condition, limit) {
    const rows = await connection.db.execute(
      sql`WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${limit}),
          gone AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM found)) RETURNING 1)
        SELECT (SELECT count(*) FROM found)::float8 AS found, (SELECT count(*) FROM gone)::float8 AS erased`,
    )
    return rows[0] as { found: number; erased: number }
  },
  through: table => sql`${table}`,
  // With OFFSET, it is one look into the index for each: the server would take the list for so long that it read all.
  forEach: (texts, table, isOne) => sql`unnest(${texts}::text[]) AS asked (value)
    CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${isOne} OFFSET 0) AS ${table}`,
  onEach:
    build =>
    async (values, slots = {}) =>
      await build(column => sql`${column} = ANY(${sql.param(values)})`)
        .prepare('rule')
        .execute(slots),
  findByIndex: async () => {
    await connection.query('SET LOCAL enable_seqscan = off')
  },
  lockMessages: async seqs => {
    await connection.query('SELECT FROM messages WHERE seq = ANY($1) ORDER BY id FOR UPDATE', [seqs])
  },
  ownLongTables: [
    [channelPauses, 'ofItsChannels'],
    [linePaces, 'ofItsLines'],
    [changes, 'ofWorkspace'],
  ],
  shortenOwnWaits: () => shortenPaces(connection),
  searchStep: step => searchStep(connection, step),
})

const selectUsedKey = `SELECT message_seq::float8 AS "messageSeq", id AS "messageId",
    encode(fingerprint, 'hex') AS fingerprint, expires_at::float8 AS "expiresAt"
  FROM idempotency_keys JOIN messages ON seq = message_seq WHERE scope = $1 AND key = $2`

async function countInPlan({ query }: Connection, { workspaceId, month }: { workspaceId: string; month: string }) {
  const [counted] = await query<{ limit: number | null; used: number }>(
    `INSERT INTO plan_usage AS counted (workspace_id, month, used) VALUES ($1, $2, 1)
     ON CONFLICT (workspace_id, month) DO UPDATE SET used = counted.used + 1
     RETURNING used::float8 AS used,
       (SELECT monthly_message_limit::float8 FROM workspaces WHERE id = $1) AS "limit"`,
    [workspaceId, month],
  )
  const { limit = null, used = 0 } = counted ?? {}
  if (limit === null || used <= limit) return null
  await query('UPDATE plan_usage SET used = used - 1 WHERE workspace_id = $1 AND month = $2', [workspaceId, month])
  return { limit, used: used - 1 }
}

/** @returns a statement that puts rows from JSON, and their columns */
function putting(table: PgTable) {
  const { name, primaryKeys } = getTableConfig(table)
  const fields = Object.entries(getTableColumns(table))
  const keys = primaryKeys[0]?.columns.map(column => column.name) ?? []
  const names = fields.map(([, column]) => column.name)
  const set = names.filter(name => !keys.includes(name)).map(name => `"${name}" = excluded."${name}"`)
  const text = `INSERT INTO "${name}" ("${names.join('", "')}")
    SELECT "${names.join('", "')}" FROM json_to_recordset($1::text::json)
      AS row (${fields.map(([, column]) => `"${column.name}" ${column.getSQLType()}`).join(', ')})
    ON CONFLICT ("${keys.join('", "')}") DO UPDATE SET ${set.join(', ')}`
  return { fields, text }
}

const driverValue = (column: PgColumn, value: unknown) => (value === null ? null : column.mapToDriverValue(value))

/** The class of these advisory locks. `cont` in ASCII. */
const contactsLock = 0x636f6e74

/**
 * Locks the contacts of these workspaces, on all instances, until the transaction ends. They are locked in one order,
 * so that two transactions never wait for each other. No row is locked: a send does not wait for a callback.
 *
 * For transactions that are READ COMMITTED: they then see what the previous one has written. A serializable one would
 * still see the state from before its wait.
 */
async function lockContacts({ query }: Connection, workspaceIds: readonly string[]): Promise<void> {
  await query(
    `SELECT pg_advisory_xact_lock(${contactsLock}, number)
     FROM (SELECT DISTINCT hashtext(id) AS number FROM unnest($1::text[]) AS id ORDER BY number) AS numbers`,
    [workspaceIds],
  )
}
