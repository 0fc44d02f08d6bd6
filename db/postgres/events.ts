import { failedAttempts } from '../../src/message/failures.ts'
import { digestOf, keptId } from '../../src/message/forgotten.ts'
import { mayUndo } from '../../src/message/move.ts'
import { tokenOf } from '../../src/message/sameMessage.ts'
import { isUncertain } from '../../src/message/statuses.ts'
import type { MessageState, Recorded, Report } from '../contract/records.ts'
import { messageStateOf } from '../contract/statusView.ts'
import type { StoreWrites } from '../contract/store.ts'
import { keepAudit } from '../rules/audit.ts'
import { shownFilesExpireBy } from '../rules/media.ts'
import { type Named, namedIn } from '../rules/reported.ts'
import { statusText } from '../schema/statuses.ts'
import { gathered } from './batch.ts'
import { engineOf } from './engine.ts'
import { load, lockAcceptances, type Moves, type StoredMessage } from './moves.ts'
import { type Connection, jsonRows, type Pool } from './open.ts'
import { type ChannelMessage, lockChannels, type ParkedReports, parking, shareChannelsOf } from './parking.ts'
import { detailText, endsAmong, mayBeEnd, settleHandedOver } from './settlement.ts'
import { inStatement, inTransaction } from './transaction.ts'

type ReportBatch = Parameters<StoreWrites['applyReports']>[0]
type ReportCounts = Awaited<ReturnType<StoreWrites['applyReports']>>

/**
 * The verbs that move a message. All of them go through the one state machine. The calls of one turn share a
 * transaction; a message is locked while it moves, so that callbacks and answers may come to any instance, and in any
 * order.
 * @param keepsContents whether the content of a message stays once nothing sends it any more, until it is pruned
 */
export function eventVerbs(pool: Pool, keepsContents: boolean, parked = parking()) {
  /** One that is not settled gets null: then nothing of it was stored. */
  const settle = gathered(async (batch: readonly Recorded[]) => {
    const ends = endsAmong(batch)
    if (ends.length === 0) return batch.map(() => null)
    const work = (connection: Connection) => settleHandedOver(connection, ends, keepsContents)
    const settled = await inStatement(pool, work, ends.length)
    return batch.map(recorded => settled.get(recorded) ?? null)
  })

  /** By itself: what it waits for must not hold up the ends of others. */
  const record = gathered(async (batch: readonly Recorded[]) => {
    const work = async (connection: Connection) => {
      const states = await recordEvents(connection, batch, keepsContents, parked(connection))
      await keepAudit(engineOf(connection), 'recordEvent', batch, states)
      return states
    }
    return inTransaction(pool, 'read committed', work, { calls: batch.length, readsFirst: true })
  })

  return {
    async recordEvent(recorded: Recorded): Promise<MessageState | null> {
      const settled = mayBeEnd(recorded) ? await settle(recorded) : null
      return settled ?? (await record(recorded))
    },

    applyReports: gathered(async (batch: readonly ReportBatch[]) => {
      // Reports that matched no message under a shared lock are looked up again, under one that lets them be parked.
      for (const parkable = new Set<Report>(); ; ) {
        const work = (connection: Connection) =>
          applyReports(connection, batch, parkable, keepsContents, parked(connection))
        const counts = await inTransaction(pool, 'read committed', work, { calls: batch.length, readsFirst: true })
        if (counts) return counts
      }
    }),

    async abandonUnknown({ lostBefore, at, reason, limit }: Parameters<StoreWrites['abandonUnknown']>[0]) {
      return inTransaction(pool, 'read committed', async connection => {
        const abandoned = await connection.query<{ id: string }>(
          // The status implies the condition of its partial index: with that beside it, another index would lead.
          `SELECT id FROM messages WHERE ${statusText(isUncertain)} AND lost_at < $1
           ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [lostBefore, limit],
        )
        const moves = await load(connection, { ids: abandoned.map(({ id }) => id), keepsContents })
        const ids = abandoned.map(({ id }) => id)
        const moved = moves.moveEach(ids, { kind: 'abandoned', at, reason }, at)
        await moves.write()
        return moved.length
      })
    },
  } satisfies Partial<StoreWrites>
}

/** @returns each message after its event; null where there is none */
async function recordEvents(
  connection: Connection,
  batch: readonly Recorded[],
  keepsContents: boolean,
  parked: ParkedReports,
): Promise<(MessageState | null)[]> {
  const refused = batch.filter(({ event }) => mayUndo(event))
  if (refused.length > 0) await lockAcceptances(connection, idsOf(refused))
  const naming = batch.filter(({ event }) => 'channelMessageId' in event)
  // Both leave at once and run in this order: what is read is read under the locks.
  const [, moves] = await Promise.all([
    naming.length > 0 && shareChannelsOf(connection, idsOf(naming)),
    load(connection, { ids: idsOf(batch), keepsContents, parked }),
  ])
  await parked.read(
    naming.flatMap(({ messageId, event }) => {
      const message = moves.byId(messageId)
      return message && 'channelMessageId' in event ? possibleIds(message, [event.channelMessageId]) : []
    }),
  )
  const states = batch.map(({ messageId, event, detail, recordedAt }) =>
    moves.byId(messageId) ? messageStateOf(moves.move(messageId, event, recordedAt, detailText(detail))) : null,
  )
  await moves.write()
  return states
}

const idsOf = (batch: readonly { readonly messageId: string }[]) => [
  ...new Set(batch.map(({ messageId }) => messageId)),
]

/** @returns the upstream's ids that a message may have after these reports: updates parked under them belong to it */
function possibleIds(message: StoredMessage, reported: readonly string[]) {
  const { channelId, channelMessageId, acceptedAt, failures } = message
  // An accepted message keeps its id, and nothing is parked under that any more.
  const ids = new Set([...reported.map(id => keptId(message, id)), ...failedAttempts(failures)])
  if (acceptedAt !== null && channelMessageId !== null) ids.delete(channelMessageId)
  return [...ids].map((channelMessageId): ChannelMessage => ({ channelId, channelMessageId }))
}

/**
 * @param parkable reports that may be parked: the locks of their channels are taken for this transaction alone. Others
 *   that match no message are added to it
 * @returns null when reports were added, with nothing stored
 */
async function applyReports(
  connection: Connection,
  batch: readonly ReportBatch[],
  parkable: Set<Report>,
  keepsContents: boolean,
  parked: ParkedReports,
): Promise<ReportCounts[] | null> {
  const parksByChannel = new Map<string, boolean>()
  for (const { channelId, reports } of batch) {
    const parks = reports.some(report => parkable.has(report))
    parksByChannel.set(channelId, parks || parksByChannel.get(channelId) === true)
  }
  const channels = [...parksByChannel].map(([channelId, parks]) => ({ channelId, parks }))
  const all = batch.flatMap(({ channelId, reports }) => reports.map(report => ({ channelId, report })))
  const asked = {
    ids: [...new Set(all.flatMap(({ report }) => report.messageId ?? []))],
    // A report that names its message is searched by other ids only when that message was not found.
    channelMessages: all
      .filter(({ report }) => report.messageId === null || parkable.has(report))
      .flatMap(({ channelId, report: { event } }) => namedBy(channelId, event.channelMessageId)),
    keepsContents,
    parked,
  }
  // Both leave at once and run in this order: what is read is read under the locks.
  const [, moves] = await Promise.all([lockChannels(connection, channels), load(connection, asked)])
  const reportedIds = Map.groupBy(all, ({ report }) => report.messageId)
  await parked.read(
    [...moves.all()].flatMap(message => {
      const own = reportedIds.get(message.id) ?? []
      return possibleIds(
        message,
        own.map(({ report }) => report.event.channelMessageId),
      )
    }),
  )

  const namedByReport = await namedInEach(
    connection,
    all.filter(({ report }) => report.messageId === null || parkable.has(report)),
  )
  const nobody: Named = { token: null, lineId: null, phone: null, userId: null }

  const unmatched: Report[] = []
  const goneMedia: MediaOfLine[] = []
  const counts = batch.map(({ channelId, reports, recordedAt }) => {
    const counts = { applied: 0, parked: 0, foreign: 0 }
    for (const report of reports) {
      const { messageId, event, isMediaGone } = report
      const { channelMessageId, status, at, reason, pricing } = event
      const detail = detailText(report.detail)
      const named = namedByReport.get(report) ?? nobody
      const message = matchOf(moves, channelId, report, named)
      if (message) {
        moves.move(message.id, event, recordedAt, detail)
        if (isMediaGone) goneMedia.push(mediaOf(message, recordedAt))
        counts.applied += 1
      } else {
        if (!parkable.has(report)) unmatched.push(report)
        parked.park({ channelId, channelMessageId, status, at, recordedAt, reason, pricing, detail, ...named })
        counts.parked += 1
        if (messageId !== null && moves.byId(messageId)) counts.foreign += 1
      }
    }
    return counts
  })
  if (unmatched.length > 0) {
    for (const report of unmatched) parkable.add(report)
    return null
  }
  await forgetMedia(connection, goneMedia)
  // Last, as it locks the counters of events.
  await moves.write()
  return counts
}

/** A message of another channel is not changed: the signature proves only the callback's own channel. */
function matchOf(
  moves: Moves,
  channelId: string,
  { messageId, event: { channelMessageId } }: Report,
  named: Named,
): StoredMessage | undefined {
  const own = messageId === null ? undefined : moves.byId(messageId)
  if (own?.channelId === channelId) return own
  const exact = namedBy(channelId, channelMessageId)
    .map(id => moves.byChannelMessage(id))
    .find(message => message !== undefined)
  return exact ?? moves.alike({ channelId, channelMessageId }, named)
}

/** @returns what each report says of its message beside the id; their lines are read once */
async function namedInEach(
  { query }: Connection,
  reports: readonly { readonly channelId: string; readonly report: Report }[],
): Promise<ReadonlyMap<Report, Named>> {
  const upstreamIds = new Set(
    reports.flatMap(({ report: { event, to } }) =>
      tokenOf(event.channelMessageId) ? (to?.upstreamPhoneId ?? []) : [],
    ),
  )
  if (upstreamIds.size === 0) return new Map()
  const lines = await query<{ id: string; channelId: string; upstreamPhoneId: string }>(
    `SELECT id, channel_id AS "channelId", upstream_phone_id AS "upstreamPhoneId" FROM lines
     WHERE removed_at IS NULL AND channel_id = ANY($1::text[]) AND upstream_phone_id = ANY($2::text[])`,
    [[...new Set(reports.map(({ channelId }) => channelId))], [...upstreamIds]],
  )
  const lineOf = (channelId: string) => (upstreamPhoneId: string) =>
    lines.find(line => line.channelId === channelId && line.upstreamPhoneId === upstreamPhoneId)?.id ?? null
  return new Map(reports.map(({ channelId, report }) => [report, namedIn(report, lineOf(channelId))]))
}

/** @returns the stored forms of this id: itself, and its digest for a forgotten message */
const namedBy = (channelId: string, channelMessageId: string): readonly ChannelMessage[] =>
  [channelMessageId, digestOf(channelMessageId)].map(id => ({ channelId, channelMessageId: id }))

interface MediaOfLine {
  readonly lineId: string
  readonly expiresBy: number
}

const mediaOf = (message: StoredMessage, recordedAt: number): MediaOfLine => ({
  lineId: message.lineId,
  expiresBy: shownFilesExpireBy(message, recordedAt),
})

async function forgetMedia({ query }: Connection, gone: readonly MediaOfLine[]): Promise<void> {
  if (gone.length === 0) return
  await query(
    `DELETE FROM media_uploads WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM media_uploads
       WHERE line_id = ANY(ARRAY(SELECT "lineId" FROM json_to_recordset($1::text::json) AS gone ("lineId" text)))
         AND expires_at <= (
           SELECT max("expiresBy") FROM json_to_recordset($1::text::json) AS gone ("lineId" text, "expiresBy" bigint)
           WHERE "lineId" = line_id)
       ORDER BY line_id, link, format FOR UPDATE))`,
    [jsonRows(gone)],
  )
}
