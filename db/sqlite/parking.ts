import type { Database } from 'bun:sqlite'
import { getTableColumns } from 'drizzle-orm'
import { bytesOf, bytesOfRow, channelBytesMax, freedShare, keptOf, type Parked } from '../rules/parking.ts'
import type { WriterMemory } from './memory.ts'
import { listOf } from './rows.ts'
import { ownTables } from './schema.ts'

const columns = listOf(getTableColumns(ownTables.parkedReports))

/**
 * Status updates that match no message yet. Genuine, but possibly of another system on the same account: a channel's
 * take a bounded part of the disk, and the oldest make room for new ones.
 */
export function parking(client: Database, memory: Pick<WriterMemory, 'hasParked'>, bytesMax = channelBytesMax) {
  const insert = client.query(
    `INSERT INTO parked_reports (channel_id, channel_message_id, status, at, detail, recorded_at, reason, pricing)
     VALUES ($channelId, $channelMessageId, $status, $at, $detail, $recordedAt, $reason, $pricing)
     ON CONFLICT DO NOTHING`,
  )
  const select = client.query<Parked, [string, string]>(
    `SELECT ${columns} FROM parked_reports WHERE channel_id = ? AND channel_message_id = ?`,
  )
  const any = client.query<{ found: number }, []>('SELECT EXISTS (SELECT 1 FROM parked_reports) AS found')
  const remove = client.query('DELETE FROM parked_reports WHERE channel_id = ? AND channel_message_id = ?')
  const measure = client.query<{ bytes: number }, [string]>(
    `SELECT coalesce(sum(${bytesOfRow}), 0) AS bytes FROM parked_reports WHERE channel_id = ?`,
  )
  const oldest = client.query<{ recordedAt: number; bytes: number }, [string]>(
    `SELECT recorded_at AS recordedAt, ${bytesOfRow} AS bytes FROM parked_reports WHERE channel_id = ?
     ORDER BY recorded_at`,
  )
  const removeUntil = client.query('DELETE FROM parked_reports WHERE channel_id = ? AND recorded_at <= ?')
  /**
   * An upper bound of what each channel has parked since it was measured; updates that were applied or undone still
   * count.
   */
  const bytesByChannel = new Map<string, number>()

  function makeRoom(channelId: string): number {
    const bytes = measure.get(channelId)?.bytes ?? 0
    if (bytes <= bytesMax) return bytes
    const target = bytesMax * (1 - freedShare)
    let left = bytes
    let until = 0
    for (const row of oldest.all(channelId)) {
      if (left <= target) break
      left -= row.bytes
      until = row.recordedAt
    }
    removeUntil.run(channelId, until)
    return measure.get(channelId)?.bytes ?? 0
  }

  return {
    park(report: Parked): void {
      const kept = keptOf(report)
      if (kept === null) return
      const { channelId } = kept
      memory.hasParked = true
      insert.run({ ...kept })
      const total = (bytesByChannel.get(channelId) ?? measure.get(channelId)?.bytes ?? 0) + bytesOf(kept)
      bytesByChannel.set(channelId, total > bytesMax ? makeRoom(channelId) : total)
    },

    /** Takes the parked updates of a message. */
    take(channelId: string, channelMessageId: string): Parked[] {
      // Most gateways have none: the upstream's answer is nearly always faster than its callback.
      memory.hasParked ??= any.get()?.found === 1
      if (!memory.hasParked) return []
      const waiting = select.all(channelId, channelMessageId)
      if (waiting.length === 0) return waiting
      remove.run(channelId, channelMessageId)
      // Perhaps the last ones.
      memory.hasParked = null
      return waiting
    },
  }
}
