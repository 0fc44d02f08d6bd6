import { getTableColumns } from 'drizzle-orm'
import { dayOf } from '../../src/message/counts.ts'
import { keptEvent } from '../../src/message/forgotten.ts'
import { storedMove } from '../../src/message/move.ts'
import { endsOf, namedBy, tokenOf } from '../../src/message/sameMessage.ts'
import { beganAtOf, type MessageEvent } from '../../src/message/state.ts'
import { BrokenPromise, holds, keep } from '../../src/telemetry/promises.ts'
import { eventsOf, type NewEvent } from '../contract/events.ts'
import type { Message } from '../contract/records.ts'
import { movedFields } from '../rules/columns.ts'
import { mayBeAbout, type Named } from '../rules/reported.ts'
import type { Row } from '../schema/tables.ts'
import { type Connection, jsonRows } from './open.ts'
import { type ChannelMessage, keyOf, type ParkedReports } from './parking.ts'
import { listOf, messageColumns, messageTables } from './rows.ts'
import { tables } from './schema/tables.ts'
import { tell } from './tell.ts'

/**
 * With its number, which the tables beside the messages know it by, that of its last event, and the instance that is to
 * send it.
 */
export type StoredMessage = Message & Pick<Row<'messages'>, 'seq' | 'sequence' | 'instanceSeq'>

export interface Asked {
  readonly ids: readonly string[]
  /** Messages by the upstream's id, or another text of it. */
  readonly channelMessages?: readonly ChannelMessage[]
  /** Whether the content of a message stays once nothing sends it any more, until it is pruned. */
  readonly keepsContents: boolean
  /** Needed for events that give a message the upstream's id: answers and callbacks. */
  readonly parked?: ParkedReports
}

/**
 * Messages that are locked until the end of the transaction, and the changes of events. Events are applied in memory,
 * in their order; nothing is stored before `write`, which takes one statement for each table.
 */
export interface Moves {
  /** @returns the message as the last event left it */
  byId(id: string): StoredMessage | undefined
  byChannelMessage(id: ChannelMessage): StoredMessage | undefined
  /** @returns that with another text of this id */
  alike(id: ChannelMessage, named: Named): StoredMessage | undefined
  all(): Iterable<StoredMessage>
  /**
   * Applies one event to a message that was loaded, adds it to the timeline and does what follows from it.
   * @param detail JSON; empty when there is nothing to add
   */
  move(messageId: string, event: MessageEvent, recordedAt: number, detail: string): StoredMessage
  /** One that has broken a promise stays as it is: the others must not wait for it. @returns those that were moved */
  moveEach(messageIds: readonly string[], event: MessageEvent, recordedAt: number): string[]
  write(): Promise<void>
}

const { seq, instanceSeq, ...fields } = getTableColumns(tables.messages)
const { sequence } = fields
const movedColumns = movedFields.map(field => [field, fields[field]] as const)
const typed = ([field, { dataType }]: (typeof movedColumns)[number]) =>
  `"${field}" ${dataType === 'number' ? 'bigint' : 'text'}`
// The numbers are named beside the rows: the server takes these for a hundred, and would read a table of some thousand
// messages as a whole to join them.
const storeMoved = `
  UPDATE messages SET ${movedColumns.map(([field, { name }]) => `${name} = moved."${field}"`).join(', ')}
  FROM json_to_recordset($1::text::json) AS moved (seq bigint, ${movedColumns.map(typed).join(', ')})
  WHERE messages.seq = moved.seq AND messages.seq = ANY($2::bigint[]) RETURNING 1`

const columns = listOf({ seq, sequence, instanceSeq, ...messageColumns })
// Every transaction locks messages in this order, so that no two wait for each other.
const lockInOrder = 'ORDER BY messages.id FOR UPDATE OF messages'
const lockByIds = `SELECT ${columns} FROM ${messageTables} WHERE messages.id = ANY($1::text[]) ${lockInOrder}`
// Through its index: the condition and the expression stand there too. LATERAL with OFFSET 0 is one look into it for
// each id, and the array one for each number: the server would take both lists for so long that it joined all messages.
const lockAlsoByChannelMessages = `SELECT ${columns} FROM ${messageTables} WHERE messages.seq = ANY(ARRAY(
    SELECT seq FROM messages WHERE id = ANY($1::text[])
    UNION
    SELECT named.seq FROM json_to_recordset($2::text::json) AS asked ("channelId" text, "end" text, exact text)
    CROSS JOIN LATERAL (
      SELECT seq, line_seq FROM messages WHERE channel_message_id IS NOT NULL
        AND right(channel_message_id, 16) = "end" AND (exact IS NULL OR channel_message_id = exact)
      OFFSET 0) AS named
    JOIN lines AS senders ON senders.seq = named.line_seq AND senders.channel_id = "channelId"
  )) ${lockInOrder}`

/**
 * Locks the rows that refusals change besides the messages: keys of callers, then the counts of months. It has to come
 * first in a transaction.
 * @param ids of messages that may turn out as refused
 */
export const lockAcceptances = ({ query }: Connection, ids: readonly string[]) =>
  query('SELECT lock_acceptances_2($1::text[])', [ids])

/** Locks messages by their ids, in one order, and reads them. Missing ones are left out. */
export async function load(connection: Connection, asked: Asked): Promise<Moves> {
  const { ids, channelMessages = [], keepsContents, parked } = asked
  const rows =
    channelMessages.length === 0
      ? await connection.query<StoredMessage>(lockByIds, [ids])
      : await connection.query<StoredMessage>(lockAlsoByChannelMessages, [
          ids,
          jsonRows(channelMessages.flatMap(endsAsked)),
        ])
  const loaded = new Map(rows.map(message => [message.id, message]))
  const current = new Map(loaded)
  const idByChannelMessage = new Map<string, string>()
  const idsByToken = new Map<string, Set<string>>()
  for (const message of rows) indexChannelMessage(message)

  const entries: Row<'messageEvents'>[] = []
  const changeOfDay = new Map<string, { workspaceId: string; day: string; kind: string; count: number }>()
  const events: NewEvent[] = []
  const undoneSeqs: number[] = []
  const overSeqs: number[] = []

  function indexChannelMessage({ id, channelId, channelMessageId }: StoredMessage) {
    if (channelMessageId === null) return
    const key = keyOf({ channelId, channelMessageId })
    if (!idByChannelMessage.has(key)) idByChannelMessage.set(key, id)
    const token = tokenOf(channelMessageId)
    if (token !== null) idsByToken.set(token, (idsByToken.get(token) ?? new Set()).add(id))
  }

  function addToDay(message: Message, kind: string, change: number) {
    const { workspaceId } = message
    const day = dayOf(beganAtOf(message))
    const key = `${workspaceId} ${day} ${kind}`
    const count = (changeOfDay.get(key)?.count ?? 0) + change
    changeOfDay.set(key, { workspaceId, day, kind, count })
  }

  function move(messageId: string, event: MessageEvent, recordedAt: number, detail: string): StoredMessage {
    const before = current.get(messageId)
    if (!before) throw new Error(`The message ${messageId} was not loaded.`)
    const { told, ...moved } = storedMove(before, keptEvent(before, event))
    const { record, status, uncounted, counted, entry, isOver, undoneAt } = moved
    const after: StoredMessage = { ...before, ...record, status, sequence: before.sequence + told.length }
    current.set(messageId, after)
    for (const kind of uncounted) addToDay(after, kind, -1)
    for (const kind of counted) addToDay(after, kind, 1)
    events.push(...eventsOf(before, told, recordedAt))
    if (isOver && !keepsContents) overSeqs.push(after.seq)
    if (entry) entries.push({ messageSeq: after.seq, ...entry, recordedAt, detail })
    if (undoneAt !== null) undoneSeqs.push(after.seq)
    if (after.channelMessageId === before.channelMessageId) return after
    indexChannelMessage(after)
    applyParked(after)
    return current.get(messageId) ?? after
  }

  /**
   * The upstream's id is now known, from an answer or a callback: the callbacks that were parked under it belong to
   * this message. They came before the answer, and did not name our id.
   */
  function applyParked(message: StoredMessage) {
    const { id, channelMessageId } = message
    if (channelMessageId === null) return
    if (!parked) throw new Error('Parked callbacks are needed where a message gets the id of the upstream.')
    for (const { status, at, reason, pricing, recordedAt, detail } of parked.take({ ...message, channelMessageId }))
      move(id, { kind: 'reported', status, at, reason, pricing, channelMessageId }, recordedAt, detail)
  }

  return {
    byId: id => current.get(id),

    byChannelMessage(id) {
      const message = current.get(idByChannelMessage.get(keyOf(id)) ?? '')
      // Its id may have changed since.
      return message?.channelMessageId === id.channelMessageId ? message : undefined
    },

    alike({ channelId, channelMessageId }, named) {
      const ids = [...(idsByToken.get(named.token ?? '') ?? [])]
      const messages = ids.flatMap(id => current.get(id) ?? [])
      return namedBy(
        channelMessageId,
        messages.filter(message => message.channelId === channelId && mayBeAbout(message, named)),
      )
    },

    all: () => current.values(),

    move,

    moveEach: (messageIds, event, recordedAt) =>
      messageIds.filter(id => {
        try {
          return move(id, event, recordedAt, '')
        } catch (error) {
          if (error instanceof BrokenPromise) return false
          throw error
        }
      }),

    async write() {
      const { query } = connection
      const changed = [...current.values()].filter(after => {
        const before = loaded.get(after.id)
        return movedFields.some(field => before?.[field] !== after[field])
      })
      // Usually nothing: what is taken, or parked, is nobody's but under the lock of its channel.
      await parked?.write()
      // None needs the answer of another one, and the connection runs them in this order: together they are one trip.
      const stored =
        changed.length > 0 && query(storeMoved, [jsonRows(changed.map(valuesOf)), changed.map(({ seq }) => seq)])
      const [rows] = await Promise.all([
        stored,
        undoneSeqs.length > 0 && query('SELECT undo_acceptances_2($1::bigint[])', [undoneSeqs]),
        entries.length > 0 &&
          query(
            `INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
             SELECT "messageSeq", kind, at, detail, "recordedAt" FROM json_to_recordset($1::text::json)
               AS entry ("messageSeq" bigint, kind text, at bigint, detail text, "recordedAt" bigint)
             ON CONFLICT DO NOTHING`,
            [jsonRows(entries)],
          ),
        overSeqs.length > 0 && query('DELETE FROM message_contents WHERE message_seq = ANY($1::bigint[])', [overSeqs]),
        countDays(connection, [...changeOfDay.values()]),
        tell(connection, events),
      ])
      const about = () => ({ messageIds: changed.map(({ id }) => id) })
      keep('oneMessageMoves', rows === false || rows.length === changed.length, about)
    },
  }
}

/** An id of another form is looked for as a whole. */
const endsAsked = ({ channelId, channelMessageId: id }: ChannelMessage) =>
  endsOf(id).map(end => ({ channelId, end, exact: tokenOf(id) === null ? id : null }))

const valuesOf = (message: StoredMessage) =>
  Object.fromEntries([['seq', message.seq], ...movedFields.map(field => [field, message[field]] as const)])

/** Comes nearly last: all messages of a workspace count in the same few rows, and other transactions wait for them. */
export async function countDays(
  { query }: Connection,
  changes: readonly { workspaceId: string; day: string; kind: string; count: number }[],
): Promise<void> {
  const counted = changes.filter(({ count }) => count !== 0)
  if (counted.length === 0) return
  const below = await query<{ workspaceId: string; day: string; kind: string }>(
    `WITH counted AS (INSERT INTO daily_counts (workspace_id, day, kind, count)
     SELECT "workspaceId", day, kind, count
     FROM json_to_recordset($1::text::json) AS change ("workspaceId" text, day text, kind text, count bigint)
     ORDER BY "workspaceId" COLLATE "C", day COLLATE "C", kind COLLATE "C"
     ON CONFLICT (workspace_id, day, kind) DO UPDATE SET count = daily_counts.count + excluded.count
     RETURNING workspace_id AS "workspaceId", day, kind, count)
     SELECT "workspaceId", day, kind FROM counted WHERE count < 0`,
    [jsonRows(counted)],
  )
  for (const day of below) holds('daysNotNegative', false, () => ({ ...day }))
}
