import { getTableColumns } from 'drizzle-orm'
import { tokenOf } from '../../src/message/sameMessage.ts'
import type { Message } from '../contract/records.ts'
import { bytesOf, bytesOfRow, channelBytesMax, freedShare, keptOf, type Parked } from '../rules/parking.ts'
import { mayBeAbout } from '../rules/reported.ts'
import { type Connection, jsonRows } from './open.ts'
import { listOf } from './rows.ts'
import { tables } from './schema/tables.ts'

/** A message by the id that the upstream gave it. */
export type ChannelMessage = Pick<Parked, 'channelId' | 'channelMessageId'>

export const keyOf = ({ channelId, channelMessageId }: ChannelMessage) => `${channelId} ${channelMessageId}`

/** Status updates that match no message yet, as one transaction reads and changes them. */
export interface ParkedReports {
  /** Reads what is parked under these ids, and under other texts of them: only that can be taken. */
  read(ids: readonly ChannelMessage[]): Promise<void>
  /** Takes the updates of a message that are parked under its id, or another text of it. */
  take(message: ChannelMessage & Pick<Message, 'lineId' | 'recipient' | 'waId'>): readonly Parked[]
  park(report: Parked): void
  write(): Promise<void>
}

/**
 * Other instances park too. So each measures again after it has parked this share itself: together they exceed the
 * limit by at most one share each.
 */
const measuredShare = 1 / 64

const columns = listOf(getTableColumns(tables.parkedReports))

/*
 * Of two concurrent transactions, one may park an update under an id while the other gives this id to a message: the
 * update would wait for ever. So a transaction that may give ids takes a shared lock on its channels, and one that
 * parks an exclusive lock. Each takes it before it locks messages.
 */
const lockOf = (channelId: string) => `hashtextextended('parked reports of ' || ${channelId}, 0)`

/** Locks channels: exclusively when it `parks`, else shared. */
export async function lockChannels(
  { query }: Connection,
  channels: readonly { readonly channelId: string; readonly parks: boolean }[],
): Promise<void> {
  await query(
    `SELECT CASE WHEN parks THEN pg_advisory_xact_lock(key) ELSE pg_advisory_xact_lock_shared(key) END
     FROM (SELECT parks, ${lockOf('"channelId"')} AS key
           FROM json_to_recordset($1::text::json) AS asked ("channelId" text, parks boolean) ORDER BY key) AS locks`,
    [jsonRows(channels)],
  )
}

/** Shares the lock of the channels of these messages. */
export const shareChannelsOf = ({ query }: Connection, messageIds: readonly string[]) =>
  query('SELECT share_channels_1($1::text[])', [messageIds])

/**
 * Genuine status updates, but possibly of another system on the same account: a channel's take a bounded part of the
 * disk, and the oldest make room for new ones.
 * @returns them for a transaction
 */
export function parking(bytesMax = channelBytesMax): (connection: Connection) => ParkedReports {
  /** By channel: how much more may be parked here before the channel is measured again. */
  const leftByChannel = new Map<string, number>()

  async function measure({ query }: Connection, channelId: string): Promise<number> {
    const [row] = await query<{ bytes: number }>(
      `SELECT coalesce(sum(${bytesOfRow}), 0)::float8 AS bytes FROM parked_reports WHERE channel_id = $1`,
      [channelId],
    )
    return row?.bytes ?? 0
  }

  /** The newest stay, as many as fit. Of one moment all stay or none. */
  async function makeRoom(connection: Connection, channelId: string): Promise<void> {
    await connection.query(
      `DELETE FROM parked_reports WHERE channel_id = $1 AND recorded_at <= (
         SELECT max(recorded_at) FROM (
           SELECT recorded_at, sum(${bytesOfRow}) OVER (ORDER BY recorded_at DESC) AS bytes
           FROM parked_reports WHERE channel_id = $1
         ) AS newest WHERE bytes > $2::float8)`,
      [channelId, bytesMax * (1 - freedShare)],
    )
  }

  async function bound(connection: Connection, channelId: string, bytes: number): Promise<void> {
    const left = (leftByChannel.get(channelId) ?? 0) - bytes
    if (left > 0) {
      leftByChannel.set(channelId, left)
      return
    }
    let stored = await measure(connection, channelId)
    if (stored > bytesMax) {
      await makeRoom(connection, channelId)
      stored = await measure(connection, channelId)
    }
    leftByChannel.set(channelId, Math.min(bytesMax - stored, bytesMax * measuredShare))
  }

  return connection => {
    const { query } = connection
    const asked = new Set<string>()
    const taken = new Map<string, ChannelMessage>()
    /** What is stored, and what this transaction parks, by the text of the id. */
    const stored = new Map<string, Parked[]>()
    const parked = new Map<string, Parked[]>()
    const textsOfToken = new Map<string, Set<string>>()

    function keep(map: Map<string, Parked[]>, report: Parked) {
      const key = keyOf(report)
      const { channelId, token } = report
      map.set(key, [...(map.get(key) ?? []), report])
      if (token === null) return
      const texts = textsOfToken.get(`${channelId} ${token}`) ?? new Set()
      textsOfToken.set(`${channelId} ${token}`, texts.add(key))
    }

    return {
      async read(ids) {
        if (ids.length === 0) return
        const rows = await query<Parked>(
          `SELECT DISTINCT ${columns}
           FROM json_to_recordset($1::text::json) AS asked ("channelId" text, "channelMessageId" text, token text)
           CROSS JOIN LATERAL (
             SELECT * FROM parked_reports
                 WHERE channel_id = "channelId" AND channel_message_id = "channelMessageId"
             UNION ALL
             SELECT * FROM parked_reports
                 WHERE token IS NOT NULL AND channel_id = "channelId" AND token = asked.token
             OFFSET 0) AS parked_reports`,
          [jsonRows(ids.map(id => ({ ...id, token: tokenOf(id.channelMessageId) })))],
        )
        for (const id of ids) asked.add(keyOf(id))
        for (const row of rows) keep(stored, row)
      },

      take(message) {
        const key = keyOf(message)
        if (!asked.has(key)) throw new Error(`What is parked for ${message.channelMessageId} was not read.`)
        const texts = textsOfToken.get(`${message.channelId} ${tokenOf(message.channelMessageId)}`) ?? []
        return [...new Set([key, ...texts])].flatMap(text => {
          const waiting = [...(stored.get(text) ?? []), ...(parked.get(text) ?? [])]
          const [one] = waiting
          if (!one || (text !== key && !mayBeAbout(message, one))) return []
          if (stored.delete(text)) taken.set(text, one)
          parked.delete(text)
          return waiting
        })
      },

      park(report) {
        const kept = keptOf(report)
        if (kept) keep(parked, kept)
      },

      async write() {
        if (taken.size > 0) {
          await query(
            `DELETE FROM parked_reports WHERE ctid = ANY(ARRAY(
               SELECT parked.ctid
               FROM json_to_recordset($1::text::json) AS asked ("channelId" text, "channelMessageId" text)
               CROSS JOIN LATERAL (
                 SELECT ctid FROM parked_reports
                 WHERE channel_id = "channelId" AND channel_message_id = "channelMessageId"
                 OFFSET 0) AS parked))`,
            [jsonRows([...taken.values()])],
          )
        }
        const reports = [...parked.values()].flat()
        if (reports.length === 0) return
        await query(
          `INSERT INTO parked_reports (channel_id, channel_message_id, status, at, detail, recorded_at, reason, pricing,
             token, line_id, phone, user_id)
           SELECT "channelId", "channelMessageId", status, at, detail, "recordedAt", reason, pricing,
             token, "lineId", phone, "userId"
           FROM json_to_recordset($1::text::json) AS parked ("channelId" text, "channelMessageId" text, status text,
             at bigint, detail text, "recordedAt" bigint, reason text, pricing bigint,
             token text, "lineId" text, phone text, "userId" text)
           ON CONFLICT DO NOTHING`,
          [jsonRows(reports)],
        )
        for (const [channelId, added] of Map.groupBy(reports, report => report.channelId)) {
          const bytes = added.reduce((sum, report) => sum + bytesOf(report), 0)
          await bound(connection, channelId, bytes)
        }
      },
    }
  }
}
