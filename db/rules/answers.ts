import { and, eq, isNull, ne, notInArray, notLike, or, type SQLWrapper, sql } from 'drizzle-orm'
import { itemKeyPattern } from '../../src/message/batches.ts'
import { deletionKinds, echoKind } from '../../src/message/kinds.ts'
import { gotThrough } from '../../src/message/statuses.ts'
import { answerScan, unreadMax } from '../contract/conversations.ts'
import { statusText } from '../schema/statuses.ts'
import type { Engine } from './engine.ts'

/** SQLite has no other words for it. */
export const isTrue = (value: unknown) => Number(value) === 1

/** Something is behind what was read: it may have been answered. Written out as the partial index has it. */
export const hasUnread = sql`heard_seq > read_seq`

/**
 * Whether what people wrote was answered, and what of it is unread: in statements on `contacts`. Who answers has read
 * what came before. A send writes no mark of that, so it is worked out here. Each of these subqueries reads the end of
 * an index, `answerScan` or `unreadMax` rows of it at most.
 */
export function answers({ tables, conditions }: Engine) {
  const { contacts, inboundMessages, lines, messages, numberSpellings } = tables
  const { lineId, kind, at, recordedAt, seq } = inboundMessages
  const { heardSeq } = contacts

  const lastHeard = (workspaceId: string, column: SQLWrapper) =>
    sql`(SELECT ${column} FROM ${inboundMessages}
      WHERE ${inboundMessages.workspaceId} = ${workspaceId} AND ${seq} = ${heardSeq})`

  /**
   * A template of a key, and what a campaign sends, are automatic: nobody has looked. What a key writes freely, or a
   * person sends, is an answer.
   */
  const isAnswer = and(
    or(isNull(messages.apiKeySeq), ne(messages.type, 'template')),
    or(isNull(messages.idempotencyKey), notLike(messages.idempotencyKey, itemKeyPattern)),
  )
  /** When the person was last answered after a moment, from the line that it wrote to last; 0: not. */
  const answeredAt = (workspaceId: string, address: SQLWrapper, after: SQLWrapper) =>
    sql`(SELECT coalesce(max(newest.at), 0) FROM (
      SELECT CASE WHEN ${isAnswer} AND ${sql.raw(statusText(gotThrough, 'messages.status'))} AND ${messages.lineSeq} =
          (SELECT ${lines.seq} FROM ${lines} WHERE ${lines.id} = ${lastHeard(workspaceId, lineId)})
        THEN ${messages.createdAt} ELSE 0 END AS at
      FROM ${messages}
      WHERE ${conditions.isOfWorkspace(workspaceId)} AND ${messages.recipient} = ${address}
        AND ${messages.createdAt} > ${after}
      ORDER BY ${messages.createdAt} DESC, ${messages.seq} DESC LIMIT ${answerScan}) AS newest)`
  /** The same, to each number or user id that the person has or had. */
  const lastAnsweredAt = (workspaceId: string, after: SQLWrapper) =>
    sql`(SELECT max(answered.at) FROM (SELECT ${answeredAt(workspaceId, contacts.phone, after)} AS at
      UNION ALL SELECT ${answeredAt(workspaceId, contacts.userId, after)}
      UNION ALL SELECT ${answeredAt(workspaceId, numberSpellings.former, after)} FROM ${numberSpellings}
        WHERE ${numberSpellings.workspaceId} = ${workspaceId} AND ${numberSpellings.current} = ${contacts.phone}
      ) AS answered)`
  const answeredSince = (workspaceId: string) => lastAnsweredAt(workspaceId, lastHeard(workspaceId, recordedAt))
  const markedAt = sql`coalesce(${contacts.unreadAt}, 0)`

  /** Behind what was read. */
  const behind = sql`${inboundMessages.contactId} = ${contacts.id}
    AND ${seq} > ${contacts.readSeq} AND ${seq} <= ${heardSeq}`
  /** When the first of them came: what was sent before answers none. */
  const firstBehind = sql`(SELECT ${recordedAt} FROM ${inboundMessages} WHERE ${behind} ORDER BY ${seq} LIMIT 1)`

  /** A deletion is nothing to read, but for one that was taken for the last word when it came. */
  const isSaid = and(notLike(kind, `${echoKind}%`), or(notInArray(kind, [...deletionKinds]), eq(seq, heardSeq)))
  /** What is unread, the newest first; the last answer is looked up once, for all of it. */
  const unreadOnes = (workspaceId: string) =>
    sql`(SELECT ${lastAnsweredAt(workspaceId, firstBehind)} AS at) AS answer
        CROSS JOIN (SELECT ${recordedAt}, ${seq}, ${at} AS said_at FROM ${inboundMessages}
          WHERE ${behind} AND ${isSaid} ORDER BY ${seq} DESC LIMIT ${unreadMax}) AS few
        WHERE few.recorded_at >= answer.at OR ${markedAt} >= answer.at`
  const ofUnread = <T>(workspaceId: string, value: SQLWrapper) =>
    sql<T>`(SELECT ${value} FROM ${unreadOnes(workspaceId)})`

  return {
    lastHeard,
    isAnswer,
    /** Of a person of whom something is behind what was read. */
    isLastUnread: (workspaceId: string) => sql`${answeredSince(workspaceId)} <= ${markedAt}`,
    unread: (workspaceId: string) => ofUnread<number>(workspaceId, sql`count(*)`).mapWith(Number),
    /** The lowest number of what is unread, and the earliest time of it, by the clock that has the earlier one. */
    unreadFrom: (workspaceId: string) => ({
      seq: ofUnread<number | null>(workspaceId, sql`min(few.seq)`).mapWith(Number),
      at: ofUnread<number | null>(
        workspaceId,
        sql`min(CASE WHEN few.said_at < few.recorded_at THEN few.said_at ELSE few.recorded_at END)`,
      ).mapWith(Number),
    }),
  }
}
