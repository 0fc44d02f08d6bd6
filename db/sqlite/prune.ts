import { and, asc, eq, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { isPrunable, needsContent, not } from '../../src/message/statuses.ts'
import { requestOutcomes } from '../contract/apiRequests.ts'
import { messageDeletion } from '../rules/messageDeletion.ts'
import { hasStatus } from '../schema/statuses.ts'
import type { AllVerbs } from './commit.ts'
import { engineOf } from './engine.ts'
import type { Connection } from './open.ts'
import { ownTables } from './schema.ts'

const { idempotencyKeys, messageContents, messages, parkedReports } = ownTables

/** Of a message that waited for its time, its release counts: nothing is left out for any other. */
const isOld = (before: number) => or(isNull(messages.releasedAt), lt(messages.releasedAt, before))

/** Deletes in small bites: a verb shares its commit with sends, and must not hold them back. */
export function pruneVerbs(connection: Connection) {
  const { client, db } = connection
  const deleteMessages = messageDeletion(engineOf(connection))
  // In the order in which they were made, which is the order in which they expire, but for those of scheduled messages:
  // nothing else is read.
  const keys = client.query(
    `DELETE FROM idempotency_keys WHERE message_seq IN
       (SELECT message_seq
        FROM (SELECT message_seq, expires_at FROM idempotency_keys WHERE expires_at <= ?3 ORDER BY message_seq LIMIT ?2)
        WHERE expires_at <= ?1)`,
  )
  const windows = client.query(
    'DELETE FROM rate_windows WHERE subject IN (SELECT subject FROM rate_windows WHERE starts_at < ? LIMIT ?)',
  )
  const media = client.query(
    `DELETE FROM media_uploads WHERE (line_id, link, format) IN
       (SELECT line_id, link, format FROM media_uploads WHERE expires_at <= ? LIMIT ?)`,
  )
  // By workspace, as the key begins; the cross join keeps SQLite from reading every count there is.
  const dailyCounts = client.query(
    `DELETE FROM daily_counts WHERE (workspace_id, day, kind) IN
       (SELECT workspace_id, day, kind FROM workspaces CROSS JOIN daily_counts ON workspace_id = id
        WHERE day < ? LIMIT ?)`,
  )
  const parked = client.query(
    `DELETE FROM parked_reports WHERE (channel_id, channel_message_id, status, at, detail) IN
       (SELECT channel_id, channel_message_id, status, at, detail FROM parked_reports
        WHERE recorded_at < ? ORDER BY recorded_at LIMIT ?)`,
  )
  const inbound = client.query(
    `DELETE FROM inbound_messages WHERE rowid IN
       (SELECT rowid FROM inbound_messages WHERE recorded_at < ? ORDER BY recorded_at LIMIT ?)`,
  )
  const agedContents = "FROM inbound_messages WHERE content <> '{}' AND recorded_at < ? ORDER BY recorded_at LIMIT ?"
  const inboundContents = client.query(
    `UPDATE inbound_messages SET content = '{}' WHERE rowid IN (SELECT rowid ${agedContents})`,
  )
  // A name that a user gave to a file is a part of the content.
  const inboundFileNames = client.query(
    `UPDATE inbound_files SET file_name = NULL WHERE id IN (SELECT file_id ${agedContents})`,
  )

  // Events are in the order in which they were recorded: the first of a workspace tells whether any is old.
  const withOldEvents = client.query<{ id: string }, [number]>(
    `SELECT workspace_id AS id FROM event_counters
     WHERE (SELECT recorded_at FROM events WHERE workspace_id = event_counters.workspace_id ORDER BY seq LIMIT 1) < ?`,
  )
  const oldEvents = client.query(
    `DELETE FROM events WHERE workspace_id = ?1 AND seq IN
       (SELECT seq FROM (SELECT seq, recorded_at FROM events WHERE workspace_id = ?1 ORDER BY seq LIMIT ?3)
        WHERE recorded_at < ?2)`,
  )

  // So are calls of API keys, those of each outcome apart.
  const withOldCalls = client.query<{ id: string; outcome: string }, [number]>(
    `SELECT id, kind AS outcome FROM workspaces
     CROSS JOIN (SELECT value AS kind FROM json_each('${JSON.stringify(requestOutcomes)}'))
     WHERE (SELECT at FROM api_requests WHERE workspace_id = id AND outcome = kind ORDER BY seq LIMIT 1) < ?`,
  )
  const oldCalls = client.query(
    `DELETE FROM api_requests WHERE workspace_id = ?1 AND outcome = ?2 AND seq IN
       (SELECT seq
        FROM (SELECT seq, at FROM api_requests WHERE workspace_id = ?1 AND outcome = ?2 ORDER BY seq LIMIT ?4)
        WHERE at < ?3)`,
  )

  const endedSessions = ['sessions', 'invitations'].map(table =>
    client.query(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= ? LIMIT ?)`),
  )

  return {
    pruneIdempotencyKeys: ({ expiredBefore, usualUntil, limit }) => keys.run(expiredBefore, limit, usualUntil).changes,

    pruneRateWindows: ({ startedBefore, limit }) => windows.run(startedBefore, limit).changes,

    pruneParkedReports({ recordedBefore, keep, limit }) {
      const aged = parked.run(recordedBefore, limit).changes
      const excess = (db.select({ count: sql<number>`count(*)` }).from(parkedReports).get()?.count ?? 0) - keep
      return excess > 0 ? aged + parked.run(Number.MAX_SAFE_INTEGER, Math.min(excess, limit - aged)).changes : aged
    },

    pruneDailyCounts: ({ before, limit }) => dailyCounts.run(before, limit).changes,

    pruneEvents({ recordedBefore, limit }) {
      let pruned = 0
      for (const { id } of withOldEvents.all(recordedBefore)) {
        if (pruned < limit) pruned += oldEvents.run(id, recordedBefore, limit - pruned).changes
      }
      return pruned
    },

    pruneApiRequests({ answeredBefore, limit }) {
      let pruned = 0
      for (const { id, outcome } of withOldCalls.all(answeredBefore)) {
        if (pruned < limit) pruned += oldCalls.run(id, outcome, answeredBefore, limit - pruned).changes
      }
      return pruned
    },

    pruneMedia: ({ expiredBefore, limit }) => media.run(expiredBefore, limit).changes,

    pruneSessions({ expiredBefore, limit }) {
      let pruned = 0
      for (const ended of endedSessions) pruned += ended.run(expiredBefore, limit - pruned).changes
      return pruned
    },

    async pruneMessages({ createdBefore, limit }) {
      const livingKey = db
        .select({ found: sql`1` })
        .from(idempotencyKeys)
        .where(eq(idempotencyKeys.messageSeq, messages.seq))
      // The oldest are the first rows, and nothing else is read.
      const old = db
        .select({ seq: messages.seq, id: messages.id, createdAt: messages.createdAt })
        .from(messages)
        // What is not settled stays, however old: it may still be sent or settled.
        // What a living idempotency key points to stays as well: its replay must find it.
        // One that waited for its time is as old as its release.
        .where(and(hasStatus(messages.status, isPrunable), isOld(createdBefore), notExists(livingKey)))
        .orderBy(asc(messages.seq))
        .limit(limit)
        .all()
        .filter(message => message.createdAt < createdBefore)
      if (old.length === 0) return 0
      await deleteMessages(old)
      return old.length
    },

    pruneContents({ createdBefore, limit }) {
      // The oldest come first in the primary key; the cross join keeps SQLite from walking through the messages
      // instead, most of which have no content any more. What waits is still to be sent.
      const old = db
        .select({ seq: messageContents.messageSeq, createdAt: messages.createdAt })
        .from(messageContents)
        .crossJoin(messages)
        .where(
          and(
            eq(messages.seq, messageContents.messageSeq),
            hasStatus(messages.status, not(needsContent)),
            isOld(createdBefore),
          ),
        )
        .orderBy(asc(messageContents.messageSeq))
        .limit(limit)
        .all()
        .filter(message => message.createdAt < createdBefore)
        .map(({ seq }) => seq)
      if (old.length > 0) db.delete(messageContents).where(inArray(messageContents.messageSeq, old)).run()
      return old.length
    },

    pruneInboundContents({ recordedBefore, limit }) {
      inboundFileNames.run(recordedBefore, limit)
      return inboundContents.run(recordedBefore, limit).changes
    },

    pruneInbound: ({ recordedBefore, limit }) => inbound.run(recordedBefore, limit).changes,
  } satisfies Partial<AllVerbs>
}
