import { t0 } from './fixtures.ts'

/** Of each table that grows with what is sent and received. */
export const rowsOfLongTables = 100_000
/** Of a table of settings: a large installation. */
const rowsOfShortTables = 300

/** One workspace, line, endpoint and channel have nearly everything, as in life. */
const mostly = (name: string, others: number) =>
  `CASE WHEN n % 50 = 0 THEN '${name}_' || (2 + n % ${others}) ELSE '${name}_1' END`
const workspace = mostly('ws', 299)
const line = mostly('line', 299)
const channel = mostly('chan', 299)
const at = `${t0} + n`
const json = `'{}'`

/**
 * What each table is filled with: the expressions of its columns, by the number `n` of the row. PostgreSQL and SQLite
 * understand them alike. The ids are those of the conformance tests, but for messages, which their calls add.
 */
const contents: Readonly<
  Record<string, { readonly rows: number; readonly columns: Readonly<Record<string, string>> }>
> = {
  workspaces: { rows: rowsOfShortTables, columns: { id: `'ws_' || n`, name: `'Acme'`, created_at: at } },
  api_keys: {
    rows: rowsOfShortTables,
    columns: {
      ...{
        id: `CASE n WHEN 300 THEN 'pk_seed' ELSE 'pk_' || n END`,
        workspace_id: `'ws_' || n`,
        secret_hash: `'h'`,
        scope: `'pk_' || n`,
        created_at: at,
      },
    },
  },
  channels: {
    rows: rowsOfShortTables,
    columns: {
      ...{
        id: `'chan_' || n`,
        workspace_id: `'ws_' || n`,
        account_id: `'account_' || n`,
        created_at: at,
        updated_at: at,
      },
      ...{ sealed_access_token: `''`, sealed_app_secret: `''`, sealed_verify_token: `''` },
    },
  },
  lines: {
    rows: rowsOfShortTables,
    columns: {
      ...{
        id: `'line_' || n`,
        workspace_id: `'ws_' || n`,
        channel_id: `'chan_' || n`,
        upstream_phone_id: `'phone_' || n`,
      },
      ...{ number: `'+49' || n`, active: 'TRUE', per_second: '80', pair_seconds: '6', created_at: at },
    },
  },
  templates: {
    rows: rowsOfShortTables * 10,
    columns: {
      ...{
        id: `'tpl_' || n`,
        channel_id: `'chan_' || (1 + n % 300)`,
        upstream_id: `'' || n`,
        name: `'template_' || n`,
      },
      ...{ language: `'en_US'`, category: `'UTILITY'`, status: `'APPROVED'`, parameter_format: `'POSITIONAL'` },
      ...{ components: `'[]'`, updated_at: at },
    },
  },
  users: {
    rows: rowsOfShortTables,
    columns: {
      id: `'user_' || n`,
      email: `'user' || n || '@example.com'`,
      password_hash: `''`,
      created_at: at,
      updated_at: at,
    },
  },
  memberships: {
    rows: rowsOfShortTables,
    columns: { workspace_id: `'ws_' || n`, user_id: `'user_' || n`, role: `'owner'`, since: at },
  },
  webhook_endpoints: {
    rows: rowsOfShortTables,
    columns: {
      id: `'hook_' || n`,
      workspace_id: `'ws_' || n`,
      url: `'https://receiver.example'`,
      position: '0',
      created_at: at,
    },
  },
  contacts: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        id: `'contact_' || n`,
        workspace_id: workspace,
        phone: `'+4930' || n`,
        name: `'Ada'`,
        created_at: at,
        updated_at: at,
      },
      ...{
        user_id: `CASE WHEN n % 10 = 0 THEN 'user.' || n END`,
        merged_into: `CASE WHEN n % 1000 = 0 THEN 'contact_1' END`,
      },
      spoken_seq: 'CASE WHEN n % 3 = 0 THEN n + 1 ELSE 0 END',
      ...{ heard_seq: 'CASE WHEN n % 2 = 0 THEN n END', read_seq: 'CASE WHEN n % 40 = 0 THEN 0 ELSE n END' },
      done_seq: 'CASE WHEN n % 4 = 0 THEN 0 ELSE n END',
      taken_by: `CASE WHEN n % 8 = 0 THEN 'user_' || (n % 5) END`,
    },
  },
  messages: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        id: `'message_' || n`,
        workspace_id: workspace,
        line_seq: 'CASE WHEN n % 50 = 0 THEN 2 + n % 299 ELSE 1 END',
      },
      ...{ contact_id: `'contact_' || (n % 30000)`, recipient: `'+4930' || (n % 30000)`, type: `'template'` },
      ...{ template_name: `'template_' || (n % 20)`, api_key_seq: '1 + n % 3', request_id: `'request-' || n` },
      status: `CASE WHEN n % 1000 = 1 THEN 'QUEUED' WHEN n % 1000 = 2 THEN 'UNKNOWN' WHEN n % 100 = 3 THEN 'FAILED' ELSE 'READ' END`,
      idempotency_key: `CASE WHEN n % 2 = 0 THEN 'order-' || n END`,
      again_of: `CASE WHEN n % 500 = 3 THEN 'message_' || (n - 1) END`,
      ...{ created_at: at, dispatched_at: at, channel_message_id: `'wamid.msg_' || n`, wa_id: `'4930' || (n % 30000)` },
    },
  },
  message_contents: { rows: rowsOfLongTables, columns: { message_seq: 'n', payload: json } },
  message_events: {
    rows: rowsOfLongTables,
    columns: {
      message_seq: '1 + n / 2',
      kind: `CASE WHEN n % 2 = 0 THEN 'accepted' ELSE 'sent' END`,
      at,
      detail: `''`,
      recorded_at: at,
    },
  },
  idempotency_keys: {
    rows: rowsOfLongTables,
    columns: {
      message_seq: 'n',
      scope: `'pk_' || (1 + n % 3)`,
      key: `'order-' || n`,
      fingerprint: '$BYTES',
      expires_at: at,
    },
  },
  events: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        workspace_id: workspace,
        seq: 'n',
        type: `CASE WHEN n % 3 = 0 THEN 'message.received' ELSE 'message.sent' END`,
      },
      ...{ at, recorded_at: at, message_seq: '1 + n / 2', sequence: '1 + n % 2', known: '1' },
      subject: `CASE WHEN n % 3 = 0 THEN 'contact_' || (n % 30000) END`,
    },
  },
  event_counters: { rows: rowsOfShortTables, columns: { workspace_id: `'ws_' || n`, last: '200000' } },
  webhook_deliveries: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        endpoint_id: mostly('hook', 299),
        seq: 'n',
        type: `'message.sent'`,
        message_seq: '1 + n / 2',
        attempt_count: '1',
      },
      ...{ state: `CASE WHEN n % 500 = 1 THEN 'failed' WHEN n % 500 = 2 THEN 'pending' ELSE 'delivered' END` },
      ...{ attempts: `'[]'`, step: '1', next_at: `CASE WHEN n % 500 = 2 THEN ${at} END` },
    },
  },
  number_spellings: {
    rows: rowsOfLongTables,
    columns: {
      ...{ workspace_id: workspace, number: `'+54' || n`, current_number: `'+549' || n` },
      ...{ at, recorded_at: at },
    },
  },
  former_user_ids: {
    rows: rowsOfLongTables,
    columns: {
      ...{ workspace_id: workspace, user_id: `'former.' || n`, current_user_id: `'user.' || n` },
      ...{ at, recorded_at: at },
    },
  },
  inbound_messages: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        channel_id: channel,
        channel_message_id: `'wamid.in' || n`,
        contact_id: `'contact_' || (n % 30000)`,
        line_id: line,
      },
      ...{
        kind: `'text'`,
        at,
        recorded_at: at,
        phone: `'+4930' || (n % 30000)`,
        content: `CASE WHEN n % 2 = 0 THEN '{}' ELSE '{"text":1}' END`,
      },
      ...{ former_phone: `CASE WHEN n % 1000 = 0 THEN '+4930' || n END`, workspace_id: workspace, seq: 'n' },
      file_id: `CASE WHEN n % 2 = 0 THEN 'file_' || n END`,
    },
  },
  inbound_files: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        id: `'file_' || n`,
        workspace_id: workspace,
        channel_id: channel,
        upstream_id: `'' || n`,
        recorded_at: at,
        attempts: '1',
        mismatches: '0',
      },
      ...{
        state: `CASE WHEN n % 1000 = 1 THEN 'pending' ELSE 'stored' END`,
        due_at: `CASE WHEN n % 1000 = 1 THEN ${at} END`,
        bytes: '100',
      },
    },
  },
  flow_sessions: {
    rows: rowsOfLongTables,
    columns: {
      ...{ message_id: `'message_' || n`, contact_id: `'contact_' || (n % 30000)`, line_id: line, opened_at: at },
      closed_at: `CASE WHEN n % 10 > 0 THEN ${at} END`,
    },
  },
  upstream_updates: {
    rows: rowsOfLongTables,
    columns: { subject: `'contact_' || n`, kind: `'account'`, at, recorded_at: at, detail: json },
  },
  parked_reports: {
    rows: rowsOfLongTables,
    columns: {
      ...{
        channel_id: channel,
        channel_message_id: `'wamid.parked' || n`,
        status: `'sent'`,
        at,
        detail: `''`,
        recorded_at: at,
      },
    },
  },
  media_uploads: {
    rows: rowsOfLongTables,
    columns: {
      line_id: line,
      link: `'https://example.com/' || n`,
      format: `'image'`,
      media_id: `'' || n`,
      expires_at: at,
    },
  },
  rate_windows: { rows: rowsOfLongTables, columns: { subject: `'address:' || n`, starts_at: at, count: '1' } },
  audit_entries: {
    rows: rowsOfLongTables,
    columns: { at, actor: `'cli:ada'`, action: `'key.create'`, subject: `'pk_' || (n % 300)`, workspace_id: workspace },
  },
  api_requests: {
    rows: rowsOfLongTables,
    columns: {
      workspace_id: workspace,
      outcome: `CASE WHEN n % 10 = 0 THEN 'refused' ELSE 'answered' END`,
      seq: 'n',
      count: '1',
      at,
      calls: `'[]'`,
    },
  },
  daily_counts: {
    rows: rowsOfLongTables,
    columns: { workspace_id: `'ws_' || (1 + n % 300)`, day: `'2026-' || (n / 300)`, kind: `'sent'`, count: '1' },
  },
  batches: {
    rows: rowsOfShortTables * 10,
    columns: {
      ...{ id: `'batch_' || n`, workspace_id: `'ws_' || (1 + n % 300)`, scope: `'pk_' || n`, idempotency_key: `'k'` },
      ...{ state: `CASE WHEN n % 500 = 1 THEN 'running' ELSE 'done' END`, defaults: json, duplicates: `'skip'` },
      ...{ total: '33', created_at: at, ended_at: `CASE WHEN n % 500 <> 1 THEN ${at} END`, keeps_content: 'TRUE' },
    },
  },
  batch_items: {
    rows: rowsOfLongTables,
    columns: {
      ...{ batch_id: `'batch_' || (n / 1000)`, number: 'n', state: `'sent'`, message_id: `'msg_' || n`, attempt: '1' },
      ...{ recipient: `'+49' || n`, body: json },
    },
  },
  price_rates: {
    rows: 300,
    columns: { workspace_id: `'ws_' || n`, rates: `'[]'`, set_at: at },
  },
  put_away_findings: {
    rows: rowsOfShortTables,
    columns: { workspace_id: `'ws_' || (1 + n % 300)`, finding: `'finding ' || n`, by_name: `'Ada'`, at },
  },
  plan_usage: {
    rows: rowsOfShortTables * 12,
    columns: { workspace_id: `'ws_' || (1 + n % 300)`, month: `'2026-' || (n / 300)`, used: '1' },
  },
}

/** Those that grow with what is sent and received. All others have as many rows as people make settings. */
export const longTables: ReadonlySet<string> = new Set(
  Object.entries(contents).flatMap(([table, { rows }]) => (rows >= rowsOfLongTables ? [table] : [])),
)

/**
 * @param bytes an empty text of bytes, as the engine writes it
 * @returns the statements that fill an empty, migrated database, or one that was filled with the rows before `from`
 */
export function filling(bytes: string, { from = 1, rowsMax = rowsOfLongTables } = {}): string[] {
  return Object.entries(contents).map(([table, { rows, columns }]) => {
    const last = Math.min(rows, rowsMax)
    const values = Object.values(columns).map(value => value.replace('$BYTES', bytes))
    return `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
      WITH RECURSIVE number (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM number WHERE n < ${last})
      SELECT ${values.join(', ')} FROM number WHERE n <= ${last}`
  })
}
