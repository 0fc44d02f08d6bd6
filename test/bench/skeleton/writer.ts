import { Database } from 'bun:sqlite'
import type { Numbered, Stored } from './messages.ts'

declare const self: Worker

/** The first message has the options; calls follow. */
let take = open
self.onmessage = ({ data }: MessageEvent<string>) => take(data)
self.postMessage('listening')

function open(options: string): void {
  const client = new Database((JSON.parse(options) as { path: string }).path, { create: true, strict: true })
  client.run('PRAGMA journal_mode = WAL')
  client.run('PRAGMA synchronous = FULL')
  client.run(
    'CREATE TABLE messages (id text PRIMARY KEY NOT NULL, recipient text, status text, payload text, created_at integer, accepted_at integer, channel_message_id text) STRICT, WITHOUT ROWID',
  )
  client.run('CREATE TABLE plan_usage (used integer) STRICT')
  client.run('INSERT INTO plan_usage VALUES (0)')
  const accept = client.query(
    "INSERT INTO messages (id, recipient, status, payload, created_at) VALUES (?, ?, 'QUEUED', ?, ?)",
  )
  const countOne = client.query('UPDATE plan_usage SET used = used + 1')
  const settle = client.query(
    "UPDATE messages SET status = 'SENT', channel_message_id = ?, accepted_at = ?, payload = NULL WHERE id = ?",
  )
  const begin = client.query('BEGIN IMMEDIATE')
  const commit = client.query('COMMIT')

  function store(call: Stored): void {
    if (call.kind === 'accepted') {
      accept.run(call.id, call.recipient, call.payload, call.at)
      countOne.run()
    } else settle.run(call.channelMessageId, call.at, call.id)
  }

  let inbox: Numbered<Stored>[number][] = []
  take = data => {
    if (inbox.length === 0) setImmediate(commitInbox)
    inbox.push(...(JSON.parse(data) as Numbered<Stored>))
  }
  function commitInbox(): void {
    const batch = inbox
    inbox = []
    begin.run()
    for (const [, call] of batch) store(call)
    commit.run()
    self.postMessage(JSON.stringify(batch.map(([id]) => [id, null])))
  }
}
