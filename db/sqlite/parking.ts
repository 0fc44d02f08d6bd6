import type { Database } from 'bun:sqlite'
import type { WriterMemory } from './memory.ts'
import type { parkedReports } from './schema.ts'

type Parked = typeof parkedReports.$inferSelect

/**
 * What a parked status update keeps of the upstream's errors: the largest known has some 1,000 bytes. Longer ones are
 * left out; the status itself is kept.
 */
const detailCharsMax = 8_192
/** Longer ones are not the upstream's: its ids have some 60. */
const idCharsMax = 512
/** About a week of a busy line that another system sends on as well, whose updates come here too. */
const channelBytesMax = 67_108_864
/** Freed at once when it is reached, so that not every update after it pays for the search. */
const freedShare = 0.1

const columns = `channel_id AS channelId, channel_message_id AS channelMessageId, status, at, detail,
  recorded_at AS recordedAt, reason`
/** An estimate of what a row takes: its texts, and its numbers and index entry. */
const bytesOfRow = '(length(channel_message_id) + length(detail) + coalesce(length(reason), 0) + 100)'

/**
 * Status updates that match no message yet. Genuine, but possibly of another system on the same account: a channel's
 * take a bounded part of the disk, and the oldest make room for new ones.
 */
export function parking(client: Database, memory: Pick<WriterMemory, 'hasParked'>, bytesMax = channelBytesMax) {
  const insert = client.query(
    `INSERT INTO parked_reports (channel_id, channel_message_id, status, at, detail, recorded_at, reason)
     VALUES ($channelId, $channelMessageId, $status, $at, $detail, $recordedAt, $reason) ON CONFLICT DO NOTHING`,
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
    `SELECT recorded_at AS recordedAt, ${bytesOfRow} AS bytes FROM parked_reports WHERE channel_id = ? ORDER BY recorded_at`,
  )
  const removeUntil = client.query('DELETE FROM parked_reports WHERE channel_id = ? AND recorded_at <= ?')
  /**
   * At least what each channel has parked since it was measured; what was applied or undone meanwhile is still in it.
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
      const { channelId, channelMessageId, detail, reason } = report
      // Nothing of ours ever gets such an id, so it would wait in vain.
      if (channelMessageId.length > idCharsMax) return
      const kept = detail.length > detailCharsMax ? '' : detail
      memory.hasParked = true
      insert.run({ ...report, detail: kept, reason: reason?.slice(0, detailCharsMax) ?? null })
      const bytes = channelMessageId.length + kept.length + (reason?.length ?? 0) + 100
      const total = (bytesByChannel.get(channelId) ?? measure.get(channelId)?.bytes ?? 0) + bytes
      bytesByChannel.set(channelId, total > bytesMax ? makeRoom(channelId) : total)
    },

    /** Hands out what waited for a message, and parks it no longer. */
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
