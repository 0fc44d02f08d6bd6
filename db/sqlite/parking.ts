import type { Database } from 'bun:sqlite'
import { getTableColumns } from 'drizzle-orm'
import { tokenOf } from '../../src/message/sameMessage.ts'
import type { Message } from '../contract/records.ts'
import { bytesOf, bytesOfRow, channelBytesMax, freedShare, keptOf, type Parked } from '../rules/parking.ts'
import { mayBeAbout } from '../rules/reported.ts'
import type { WriterMemory } from './memory.ts'
import { listOf, valuesOf } from './rows.ts'
import { ownTables } from './schema.ts'

const fields = getTableColumns(ownTables.parkedReports)
const columns = listOf(fields)

type WithId = Pick<Message, 'channelId' | 'lineId' | 'recipient' | 'waId'> & {
  readonly channelMessageId: string
}

/**
 * Status updates that match no message yet. Genuine, but possibly of another system on the same account: a channel's
 * take a bounded part of the disk, and the oldest make room for new ones.
 */
export function parking(client: Database, memory: Pick<WriterMemory, 'hasParked'>, bytesMax = channelBytesMax) {
  const insert = client.query(`INSERT INTO parked_reports ${valuesOf(fields)} ON CONFLICT DO NOTHING`)
  const select = client.query<Parked, [string, string]>(
    `SELECT ${columns} FROM parked_reports WHERE channel_id = ? AND channel_message_id = ?`,
  )
  // Through its index, whatever the statistics say: the condition stands there word for word.
  const selectAlike = client.query<Parked, [string, string]>(
    `SELECT ${columns} FROM parked_reports INDEXED BY parked_reports_token
     WHERE token IS NOT NULL AND channel_id = ? AND token = ?`,
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

    /** Takes the updates of a message that are parked under its id, or another text of it. */
    take(message: WithId): Parked[] {
      const { channelId, channelMessageId } = message
      // Most gateways have none: the upstream's answer is nearly always faster than its callback.
      memory.hasParked ??= any.get()?.found === 1
      if (!memory.hasParked) return []
      const token = tokenOf(channelMessageId)
      const alike = token === null ? [] : selectAlike.all(channelId, token)
      const others = alike.filter(named => named.channelMessageId !== channelMessageId && mayBeAbout(message, named))
      const waiting = [...select.all(channelId, channelMessageId), ...others]
      if (waiting.length === 0) return waiting
      for (const { channelMessageId: id } of waiting) remove.run(channelId, id)
      // Perhaps the last ones.
      memory.hasParked = null
      return waiting
    },
  }
}
