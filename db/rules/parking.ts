import { detailCharsMax, idCharsMax } from '../contract/updates.ts'
import type { Row } from '../schema/tables.ts'

export type Parked = Row<'parkedReports'>

/** About a week of a busy line that another system sends on as well, whose updates come here too. */
export const channelBytesMax = 67_108_864
/** Freed at once when it is reached, so that not every update after it pays for the search. */
export const freedShare = 0.1

/**
 * Errors that are too long are left out; the status itself is kept.
 * @returns what is kept of an update; null when nothing is: nothing of ours ever gets such an id, so it would wait in
 *   vain
 */
export function keptOf(report: Parked): Parked | null {
  if (report.channelMessageId.length > idCharsMax) return null
  return {
    ...report,
    detail: report.detail.length > detailCharsMax ? '' : report.detail,
    reason: report.reason?.slice(0, detailCharsMax) ?? null,
  }
}

/** What a row takes beside its longer texts: its numbers, whom it names and its index entries. */
const otherBytes = 200
export const bytesOfRow = `(length(channel_message_id) + length(detail) + coalesce(length(reason), 0) + ${otherBytes})`
export const bytesOf = ({ channelMessageId, detail, reason }: Parked) =>
  channelMessageId.length + detail.length + (reason?.length ?? 0) + otherBytes
