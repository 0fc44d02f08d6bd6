import { openForWriting } from '../../db/sqlite/open.ts'
import { announce } from './processes.ts'
import { median } from './report.ts'
import type { Sample } from './scenario.ts'
import type { StatusUpdate } from './traffic.ts'

/*
 * What callbacks in batches are measured against: a process that writes the same updates to the same tables with plain
 * bun:sqlite and prepared statements, one transaction per batch, and neither verifies, reads nor decides anything. Only
 * the writing is timed; how the updates get here is not.
 * bun test/bench/plain.ts <database>
 */

const { client } = openForWriting(process.argv[2] ?? '')
const begin = client.query('BEGIN IMMEDIATE')
const commit = client.query('COMMIT')
const move = (status: string, column: string) =>
  client.query(`UPDATE messages SET status = '${status}', ${column} = ? WHERE id = ?`)
const moves = new Map([
  ['sent', move('SENT', 'reported_sent_at')],
  ['delivered', move('DELIVERED', 'delivered_at')],
  ['read', move('READ', 'read_at')],
])
const putEvent = client.query(
  "INSERT INTO message_events (message_seq, kind, at, recorded_at, detail) SELECT seq, ?, ?, ?, '' FROM messages WHERE id = ?",
)

function write(batch: readonly StatusUpdate[]): void {
  begin.run()
  const now = Date.now()
  for (const { message, status, timestamp } of batch) {
    const at = timestamp * 1000
    moves.get(status)?.run(at, message.id)
    putEvent.run(status, at, now, message.id)
  }
  commit.run()
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const batches = (await request.json()) as readonly (readonly StatusUpdate[])[]
    const times = batches.map(batch => {
      const start = performance.now()
      write(batch)
      return performance.now() - start
    })
    const updates = batches.reduce((sum, batch) => sum + batch.length, 0)
    const sample: Sample = {
      perSecond: (updates * 1000) / times.reduce((sum, ms) => sum + ms, 0),
      medianMs: median(times),
      p99Ms: Math.max(...times),
    }
    return Response.json(sample)
  },
  // A round's updates at once.
  maxRequestBodySize: 1_000_000_000,
})
announce({ url: `http://127.0.0.1:${server.port}` })
