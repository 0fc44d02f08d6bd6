import { SQL } from 'bun'
import { sha256 } from '../../src/base/crypto.ts'
import { newId } from '../../src/base/ids.ts'
import { announce } from './processes.ts'

/*
 * What a gateway on PostgreSQL is measured against: what one would write in an afternoon. It looks up the key, inserts
 * the message, sends it, and stores the answer: one statement after the other, each committed by itself. Nothing is
 * gathered, checked, limited, counted or found again.
 * bun test/bench/plainPostgres.ts <address of the upstream's messages> <database> <key> <secret>
 */

const [target = '', url = '', apiKey = '', apiSecret = ''] = process.argv.slice(2)
const headers = { authorization: 'Bearer access-token', 'content-type': 'application/json' }
/** As many as an instance has. */
const connectionsMax = 12

const sql = new SQL({ url, max: connectionsMax })
await sql.unsafe(`
  CREATE TABLE IF NOT EXISTS api_keys (id text PRIMARY KEY, secret_hash text NOT NULL, workspace_id text NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (id text PRIMARY KEY, workspace_id text NOT NULL, recipient text NOT NULL,
    payload text NOT NULL, status text NOT NULL, channel_message_id text, created_at timestamptz NOT NULL, sent_at timestamptz)`)
await sql`INSERT INTO api_keys VALUES (${apiKey}, ${sha256(apiSecret)}, 'ws_1') ON CONFLICT DO NOTHING`

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const id = request.headers.get('apikey')
    const [key] = await sql`SELECT workspace_id, secret_hash FROM api_keys WHERE id = ${id}`
    if (key?.secret_hash !== sha256(request.headers.get('apisecret') ?? '')) return new Response(null, { status: 401 })
    const { phone, content } = (await request.json()) as { phone: string; content: string }
    const messageId = newId('msg')
    const payload = JSON.stringify({
      messaging_product: 'whatsapp',
      to: phone,
      type: 'text',
      text: { body: content },
      biz_opaque_callback_data: messageId,
    })
    await sql`INSERT INTO messages (id, workspace_id, recipient, payload, status, created_at)
      VALUES (${messageId}, ${key.workspace_id}, ${phone}, ${payload}, 'QUEUED', now())`
    const answer = await fetch(target, { method: 'POST', headers, body: payload })
    const { messages } = (await answer.json()) as { messages: readonly [{ id: string }] }
    const channelMessageId = messages[0].id
    await sql`UPDATE messages SET status = 'SENT', channel_message_id = ${channelMessageId}, sent_at = now()
      WHERE id = ${messageId}`
    return Response.json({ success: true, data: { id: messageId, status: 'SENT', channelMessageId } }, { status: 201 })
  },
})
announce({ url: `http://127.0.0.1:${server.port}` })
