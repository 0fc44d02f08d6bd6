import { longTables, rowsOfLongTables } from './manyRows.ts'

/** What a planner may know of the tables. */
export const statisticsStates = ['none', 'of an empty database', 'fresh'] as const

export type EngineName = 'SQLite' | 'PostgreSQL'

/** How a statement finds rows of one table. */
export interface Access {
  readonly table: string
  readonly index: string | null
  /** The columns whose values lead to the rows. None: all rows are read. */
  readonly bound: readonly Bound[]
}

interface Bound {
  readonly column: string
  /** To one value or to those of a list; else to a range. */
  readonly isEqual: boolean
}

/** How an engine runs a statement. */
export interface Plan {
  readonly statement: string
  readonly statistics: (typeof statisticsStates)[number]
  /** Of each long table. */
  readonly rows: number
  readonly accesses: readonly Access[]
}

/** Columns of which one value has a part of the table that grows with it: alone they lead to nothing. */
const sharedColumns: ReadonlySet<string> = new Set([
  ...['workspace_id', 'endpoint_id', 'channel_id', 'line_id', 'line_seq', 'api_key_seq', 'instance_seq', 'scope'],
  ...['status', 'state', 'kind', 'type', 'outcome', 'reason', 'format'],
])

/** An access that reads more than it looks for, and may. */
interface Allowed {
  /** `*`: of any. */
  readonly table: string
  /** The columns that lead, joined by `, `; '' for none, `*` for any. */
  readonly by: string
  /** Of the statement, without quotes. */
  readonly of: RegExp
  readonly why: string
  /** The engine that alone needs it; without one, both do. */
  readonly on?: EngineName
}

const inOrder = 'goes along the index in its order, up to the limit'
const first = 'reads the first or the last row of the index'
const anyRows = 'any rows will do: they are gone with this step'
const unsettled = 'few are not settled: as many as the queues hold, and as were scheduled'
const ofDays = 'some thirty rows a day and workspace, and 400 days'
const kept = 'the prune keeps 100,000 rows'
const isUnsettled = /status = '(SCHEDULED|QUEUED|UNKNOWN)'/
const analyzed = 'in the first minute of a database that was filled at once: then PostgreSQL analyzes it'
const removal = 'removes a workspace in steps, each of which takes any rows'
/** An erasure looks through those of a workspace, in steps. */
const parked = 'few statuses of a week match no message'
const rare = 'runs once for a rare event, of a person or of the upstream'

const allowed: readonly Allowed[] = [
  // Both engines' `deleteSome`.
  { table: '*', by: '*', of: /^WITH found AS MATERIALIZED(?!.* WHERE recorded_at < )/, why: removal, on: 'PostgreSQL' },
  {
    table: '*',
    by: '*',
    of: /^SELECT [\w., ]+ FROM \w+ WHERE (EXISTS|[\w.]+_id = ).* LIMIT \S+$/,
    why: removal,
    on: 'SQLite',
  },
  { table: 'parked_reports', by: '*', of: /^SELECT .* LIMIT \S+$/, why: parked, on: 'SQLite' },
  { table: 'messages', by: 'status', of: isUnsettled, why: unsettled },
  { table: 'messages', by: 'status, workspace_id', of: isUnsettled, why: unsettled },
  { table: 'messages', by: 'instance_seq', of: isUnsettled, why: unsettled, on: 'PostgreSQL' },
  { table: 'messages', by: '', of: /status = 'QUEUED' AND \(instance_seq = ANY/, why: unsettled, on: 'PostgreSQL' },
  {
    table: 'messages',
    by: '',
    of: /NOT EXISTS \(SELECT FROM idempotency_keys .* ORDER BY seq LIMIT/,
    why: inOrder,
    on: 'PostgreSQL',
  },
  { table: 'messages', by: '', of: /not exists \(.*order by messages.seq asc limit/, why: inOrder, on: 'SQLite' },
  { table: 'messages', by: 'workspace_id', of: /^select seq, id from messages .* limit \S+$/, why: anyRows },
  { table: 'contacts', by: 'workspace_id', of: /order by contacts.heard_seq desc limit \S+$/, why: inOrder },
  {
    table: 'inbound_messages',
    by: 'workspace_id',
    of: /order by contacts.heard_seq desc limit \S+$/,
    why: inOrder,
    on: 'PostgreSQL',
  },
  { table: 'message_contents', by: '', of: /ORDER BY (message_contents\.)?message_seq( asc)? LIMIT/i, why: inOrder },
  {
    table: 'idempotency_keys',
    by: '',
    of: /FROM idempotency_keys WHERE expires_at <= \S+ ORDER BY message_seq LIMIT/,
    why: inOrder,
  },
  { table: 'events', by: 'workspace_id', of: /max\(events.seq\)|min\(events.seq\)/, why: first, on: 'SQLite' },
  { table: 'events', by: 'workspace_id', of: /^select m(ax|in)\(seq\) from events/, why: first, on: 'SQLite' },
  { table: 'events', by: 'workspace_id', of: /ORDER BY seq LIMIT/, why: inOrder },
  { table: 'events', by: 'workspace_id', of: /^select .*events.seq = ANY\(/, why: analyzed, on: 'PostgreSQL' },
  { table: 'events', by: '', of: /^delete from events where events.message_seq > \S+$/, why: rare },
  { table: 'webhook_deliveries', by: 'endpoint_id', of: /SELECT min\(next_at\)/, why: first, on: 'PostgreSQL' },
  {
    table: 'webhook_deliveries',
    by: 'endpoint_id',
    of: /^(?!.*state <> 'delivered').* order by webhook_deliveries.seq desc limit/,
    why: inOrder,
  },
  { table: 'webhook_deliveries', by: 'endpoint_id', of: /ORDER BY seq DESC LIMIT \S+\) AS latest/, why: inOrder },
  {
    table: 'webhook_deliveries',
    by: 'endpoint_id, state',
    of: /order by webhook_deliveries.seq desc limit/,
    why: inOrder,
  },
  {
    table: 'webhook_deliveries',
    by: 'endpoint_id, state',
    of: /SELECT min\(seq\) FROM webhook_deliveries/,
    why: first,
    on: 'SQLite',
  },
  {
    table: 'inbound_messages',
    by: 'workspace_id',
    of: /SELECT min\(seq\) FROM inbound_messages/,
    why: first,
    on: 'SQLite',
  },
  { table: 'inbound_files', by: 'workspace_id', of: /order by inbound_files.recorded_at asc limit/, why: inOrder },
  { table: 'inbound_files', by: 'channel_id', of: /inbound_files.channel_id .* limit/, why: anyRows },
  { table: 'inbound_files', by: 'workspace_id', of: /^select id from inbound_files .* limit/, why: anyRows },
  {
    table: 'contacts',
    by: 'workspace_id',
    of: /order by contacts.workspace_id desc, contacts.(id|heard_seq) desc limit/,
    why: inOrder,
  },
  { table: 'contacts', by: 'workspace_id', of: /^update contacts set blocked_on = replace\(/, why: rare },
  { table: 'parked_reports', by: '', of: /^SELECT EXISTS \(SELECT 1 FROM parked_reports\)/, why: first, on: 'SQLite' },
  { table: 'parked_reports', by: '', of: /^select count\(\*\) from parked_reports$/, why: kept, on: 'SQLite' },
  { table: 'parked_reports', by: 'channel_id', of: /sum\(/, why: 'once for each 64th of what a channel may park' },
  { table: 'media_uploads', by: 'line_id', of: /^delete from media_uploads/i, why: rare },
  { table: 'upstream_updates', by: '', of: /^delete .* in \(select id from templates/, why: rare, on: 'PostgreSQL' },
  { table: 'rate_windows', by: '', of: /starts_at >= \S+$/, why: 'once at the start' },
  {
    table: 'rate_windows',
    by: '',
    of: /^DELETE .* LIMIT/,
    why: 'rows of an hour: the job deletes what is older',
    on: 'SQLite',
  },
  { table: 'audit_entries', by: '', of: /order by audit_entries.id (a|de)sc limit/, why: kept },
  { table: 'audit_entries', by: 'workspace_id', of: /order by audit_entries.id desc limit/, why: kept },
  {
    table: 'api_requests',
    by: 'workspace_id, outcome',
    of: /order by (api_requests\.)?seq( desc)? limit/i,
    why: inOrder,
  },
  {
    table: 'daily_counts',
    by: 'workspace_id, kind',
    of: /^select day from daily_counts .* limit/,
    why: ofDays,
    on: 'PostgreSQL',
  },
  { table: 'daily_counts', by: 'workspace_id', of: /^select day from daily_counts .* limit/, why: ofDays },
]

/**
 * @returns what statements read too much of, each fault once; and what is allowed above and none of them does. An engine
 *   that has every statement planned needs all that is allowed to it
 */
export function faultsOf(engine: EngineName, plans: readonly Plan[]): string[] {
  const faults = new Set<string>()
  const unneeded = new Set(allowed.filter(({ on = engine }) => on === engine))
  for (const { statement, statistics, rows, accesses } of plans) {
    for (const { table, index, bound } of accesses) {
      if (!longTables.has(table)) continue
      const isLed = bound.some(({ column, isEqual }) => !(isEqual && sharedColumns.has(column)))
      // Of few rows, those of one tenant are hardly any.
      if (isLed || (rows < rowsOfLongTables && bound.length > 0)) continue
      const by = bound.map(({ column }) => column).join(', ')
      const sql = bare(statement)
      const isIt = (one: string, wanted: string) => one === '*' || one === wanted
      const why = allowed.filter(each => isIt(each.table, table) && isIt(each.by, by) && each.of.test(sql))
      for (const each of why) unneeded.delete(each)
      const how = by === '' ? 'every row is read' : `${by} alone leads`
      if (why.length === 0)
        faults.add(`${table}: ${how}, through ${index ?? 'no index'} (${rows} rows, statistics: ${statistics}): ${sql}`)
    }
  }
  for (const { table, by, of } of unneeded) faults.add(`${table}: nothing needs what is allowed by '${by}' of ${of}`)
  return [...faults]
}

/** @returns the statement on one line, without what differs between ways to write it */
const bare = (statement: string): string => statement.replace(/"/g, '').replace(/\s+/g, ' ').trim()
