import { Database } from 'bun:sqlite'

/** Texts that a copy could change: quotes, backslashes, escapes, other scripts, surrogate pairs, line ends. */
const awkwardText = '\'"\\ \\u0000 \\n\n\t {"a":[1]} ä 日本 🜚 %s $1 \u2028'
const big = 1_799_999_999_999

/** Puts rows into every table. */
export function fill(path: string, messages: number): void {
  const client = new Database(path, { strict: true })
  const run = (sql: string, ...values: (string | number | null | Uint8Array)[]) => client.run(sql, values)
  // Each line begins a new generation of settings, in the target of a move too.
  run(
    "INSERT INTO workspaces VALUES (?, ?, NULL, ?, NULL, 'hide', 'send', NULL, NULL, NULL, NULL, 0), (?, ?, 500, ?, 900, 'keep', 'refuse', '[\"PARAR\"]', '[]', 'Bye', ?, 0)",
    'ws_a',
    awkwardText,
    big,
    'ws_B',
    '',
    1,
    '{"from":"20:00","to":"08:00","days":[1],"timeZone":"UTC","categories":["MARKETING"]}',
  )
  const user = ['user_1', 'a@b.example', awkwardText, 'hash', '{"language":"pt-BR"}']
  run('INSERT INTO users VALUES (?, ?, ?, ?, NULL, NULL, NULL, 1, 2, ?)', ...user)
  run(
    'INSERT INTO api_keys VALUES (7, ?, ?, ?, ?, ?, 1, NULL, NULL, NULL, 5, ?, ?, ?)',
    ...['key_1', 'ws_a', 'h', 'send', 'label', '["inbound"]', '["line_a"]', 'refuse'],
  )
  run("INSERT INTO plan_usage VALUES ('ws_a', '2026-01', 3)")
  run("INSERT INTO channels VALUES ('chan_1', 'ws_a', '1', NULL, 's1', 's2', 's3', 1, 2, NULL, 7)")
  run("INSERT INTO channels VALUES ('chan_0', 'ws_a', '1', NULL, 's1', 's2', 's3', 1, 2, 3, 0)")
  run("INSERT INTO callback_receipts VALUES ('chan_1', 4, NULL, ?)", awkwardText)
  run(
    "INSERT INTO lines VALUES (3, 'line_1', 'ws_a', 'chan_1', '9', '+1555', 1, 1, 80, 0, 1, NULL, 0, 'Acme', 'GREEN', 'TIER_2K', 'Berlin')",
  )
  run(
    "INSERT INTO lines VALUES (9, 'line_2', 'ws_a', 'chan_1', '10', '+1556', 0, 0, 80, 6, 1, NULL, 0, NULL, NULL, NULL, NULL)",
  )
  run("INSERT INTO media_uploads VALUES ('line_1', ?, 'image', 'm', ?)", 'https://example.com/ä', big)
  run("INSERT INTO templates VALUES ('t', 'chan_1', '1', 'n', 'de', 'c', 's', 'p', ?, NULL, 1, NULL)", awkwardText)
  run("INSERT INTO upstream_updates VALUES ('s', 'k', 1, 2, ?)", awkwardText)
  for (const id of ['c_a', 'c_B', 'c_ä', 'c_🜚', 'c_\uffee']) {
    run(
      "INSERT INTO contacts VALUES (?, 'ws_a', ?, NULL, ?, 1, 2, NULL, ?, 3, 'ada', 4, 'user_1', NULL, 5, ?, 6)",
      id,
      id,
      awkwardText,
      big,
      '["line_1"]',
    )
  }
  run("INSERT INTO flow_sessions VALUES ('m', 'c_a', 'line_1', NULL, 1, 2, 'x')")
  run(
    "INSERT INTO inbound_messages VALUES ('chan_1', 'wamid', 'c_a', NULL, 'text', 1, 2, NULL, NULL, ?, 'ws_a', 3, 'media_1')",
    awkwardText,
  )
  run(
    "INSERT INTO inbound_messages VALUES ('chan_0', 'wamid', NULL, NULL, 'text', 1, 2, NULL, NULL, '{}', NULL, NULL, NULL)",
  )
  run(
    "INSERT INTO inbound_files VALUES ('media_1', 'ws_a', 'chan_1', '7', 'h', 'm', ?, 2, 'stored', NULL, 1, 0, ?)",
    awkwardText,
    big,
  )
  run("INSERT INTO event_counters VALUES ('ws_a', ?)", big)
  run("INSERT INTO events VALUES ('ws_a', ?, 'message.sent', 1, 2, 2, 2, 65, NULL, NULL)", big)
  run("INSERT INTO events VALUES ('ws_a', 3, 'message.received', 1, 2, NULL, NULL, NULL, 'c_a', ?)", awkwardText)
  run(
    "INSERT INTO webhook_endpoints VALUES ('hook_1', 'ws_a', ?, NULL, ?, NULL, 's', NULL, 1, 'gone', 2, 3, 4, ?, 5, NULL, 'events')",
    ...['https://example.com/ä', '["message.sent"]', big],
  )
  run("INSERT INTO webhook_deliveries VALUES ('hook_1', 3, 'message.sent', 2, 'failed', 10, ?, 10, NULL)", awkwardText)
  run("INSERT INTO webhook_deliveries VALUES ('hook_1', ?, 'message.received', NULL, 'pending', 1, '[]', 1, 9)", big)
  run(
    "INSERT INTO api_requests VALUES ('ws_a', 'answered', 3, 3, ?, ?), ('ws_a', 'refused', 1, 1, 1, '[]')",
    big,
    awkwardText,
  )
  run("INSERT INTO memberships VALUES ('ws_a', 'user_1', 'owner', 1)")
  run("INSERT INTO recovery_codes VALUES ('user_1', 'b'), ('user_1', 'A')")
  run("INSERT INTO sessions VALUES ('s_1', 'user_1', 'f', 't', NULL, 1, 2, 3, ?, '192.0.2.0/24')", awkwardText)
  run("INSERT INTO invitations VALUES ('i', 'ws_a', 'e', 'viewer', 't', 'user_1', 1, 2)")
  run("INSERT INTO audit_entries VALUES (40, 1, 'cli:x', 'a', 's', NULL, NULL)")
  run("INSERT INTO put_away_findings VALUES ('ws_a', 'f', ?, ?)", awkwardText, big)
  run(
    "INSERT INTO batches VALUES ('b_1', 'ws_a', ?, 'paused', ?, NULL, 's', ?, 'f', '{}', 'skip', 2, 1, NULL, 2, ?, 1)",
    ...[awkwardText, '{"code":"line","message":"m"}', awkwardText, big],
  )
  run("INSERT INTO batch_items VALUES ('b_1', 10, 'sent', 'msg_1', 1, '+1555', ?, ?, NULL)", awkwardText, '{"a":1}')
  run("INSERT INTO batch_items VALUES ('b_1', 9, 'skipped', NULL, 0, '', NULL, NULL, ?)", awkwardText)
  run("INSERT INTO price_rates VALUES ('ws_a', '[]', ?)", big)
  run("INSERT INTO properties VALUES ('fill', ?)", awkwardText)
  run("INSERT INTO rate_windows VALUES ('key_1', 1, 2)")
  run("INSERT INTO former_user_ids VALUES ('ws_a', 'a', 'b', 1, ?)", big)
  run("INSERT INTO number_spellings VALUES ('ws_a', '+541155550001', '+5491155550001', 1, ?)", big)
  run("INSERT INTO erasures VALUES ('c_a', 'ws_a', ?, '[]', 1, 2, 'others', ?, 4, 5, 6, 7)", '["+1555"]', big)
  run("INSERT INTO daily_counts VALUES ('ws_a', '2026-01-01', 'accepted', 2)")
  run(
    "INSERT INTO parked_reports VALUES ('chan_1', 'w', 'sent', 1, ?, 2, NULL, 3, 't', 'line_1', '+1555', 'US.1')",
    awkwardText,
  )
  run("INSERT INTO parked_reports VALUES ('chan_1', 'w', 'sent', 1, '', 2, 'r', NULL, NULL, NULL, NULL, NULL)")
  const numbers = `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${messages})`
  run(
    `${numbers} INSERT INTO messages (seq, id, workspace_id, line_seq, recipient, type, status, created_at)
     SELECT x * 2, 'msg_' || x, 'ws_a', 3, '+1555', 'text', 'QUEUED', ${big} + x FROM n`,
  )
  run(`${numbers} INSERT INTO message_contents SELECT x * 2, ? FROM n`, awkwardText)
  run(`${numbers} INSERT INTO message_events SELECT x * 2, 'created', x, ?, x FROM n`, awkwardText)
  run("INSERT INTO message_events VALUES (2, 'created', 1, '', 1)")
  const fingerprint = new Uint8Array([0, 255, 128, 10, 92])
  run("INSERT INTO idempotency_keys VALUES (2, 'ws_a', ?, ?, 5)", awkwardText, fingerprint)
  client.close()
}

/** @returns all rows of all tables of a file */
export function rowsOfFile(path: string): Record<string, unknown[][]> {
  const client = new Database(path, { readonly: true })
  const names = client
    .query("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migrations' AND name NOT LIKE 'sqlite_%'")
    .values()
  // By the first columns, which are the key of most: the order only has to be the same twice.
  const rows = names.map(([name]) => [name, client.query(`SELECT * FROM ${name} ORDER BY 1, 2`).values()])
  client.close()
  return Object.fromEntries(rows)
}
