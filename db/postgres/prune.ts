import { isPrunable, needsContent, not } from '../../src/message/statuses.ts'
import { requestOutcomes } from '../contract/apiRequests.ts'
import type { StoreWrites } from '../contract/store.ts'
import { first } from '../rules/engine.ts'
import { messageDeletion } from '../rules/messageDeletion.ts'
import { statusText } from '../schema/statuses.ts'
import { engineOf } from './engine.ts'
import type { Connection } from './open.ts'

/**
 * @param locked selects the `ctid` of rows of one table
 * @returns a statement that changes these rows, except those that another transaction has locked, and counts them
 */
const counted = (change: string, locked: string) =>
  `WITH changed AS (${change} WHERE ctid = ANY(ARRAY(${locked} FOR UPDATE SKIP LOCKED)) RETURNING 1)
   SELECT count(*)::float8 AS count FROM changed`

const deletion = (table: string, locked: string) => counted(`DELETE FROM ${table}`, locked)

/** @returns a selection of the oldest rows that are old by `$1`, at most `$2` */
const oldest = (table: string, isOld: string, column: string) =>
  `SELECT ctid FROM ${table} WHERE ${isOld} ORDER BY ${column} LIMIT $2`

// In the order in which they were made, which is about the order in which they expire, but for those of scheduled
// messages: nothing else is read.
const expiredKeys = deletion(
  'idempotency_keys',
  `SELECT ctid FROM idempotency_keys WHERE expires_at <= $1
     AND message_seq = ANY(ARRAY(
       SELECT message_seq FROM idempotency_keys WHERE expires_at <= $3 ORDER BY message_seq LIMIT $2))`,
)
const endedWindows = deletion('rate_windows', oldest('rate_windows', 'starts_at < $1', 'starts_at'))
const agedReports = deletion('parked_reports', oldest('parked_reports', 'recorded_at < $1', 'recorded_at'))
// The key begins with the workspace: the old days of each are beside each other.
const oldDays = deletion(
  'daily_counts',
  `SELECT ctid FROM daily_counts WHERE ctid = ANY(ARRAY(
     SELECT old.ctid FROM workspaces CROSS JOIN LATERAL
       (SELECT ctid FROM daily_counts WHERE workspace_id = workspaces.id AND day < $1
        ORDER BY day LIMIT $2) old
     LIMIT $2))`,
)
// Events are in the order in which they were recorded: the first of a workspace tells whether any is old.
const oldEvents = deletion(
  'events',
  `SELECT ctid FROM events WHERE ctid = ANY(ARRAY(
     SELECT old.place FROM event_counters CROSS JOIN LATERAL
       (SELECT place FROM
         (SELECT ctid AS place, recorded_at FROM events WHERE events.workspace_id = event_counters.workspace_id
          ORDER BY seq LIMIT $2) AS first
        WHERE recorded_at < $1) AS old
     WHERE (SELECT recorded_at FROM events WHERE events.workspace_id = event_counters.workspace_id
       ORDER BY seq LIMIT 1) < $1
     LIMIT $2))`,
)
// So are calls of API keys, those of each outcome apart.
const oldCalls = deletion(
  'api_requests',
  `SELECT ctid FROM api_requests WHERE ctid = ANY(ARRAY(
     SELECT old.place FROM workspaces CROSS JOIN unnest(ARRAY['${requestOutcomes.join("', '")}']) AS kind
     CROSS JOIN LATERAL
       (SELECT place FROM
         (SELECT ctid AS place, at FROM api_requests WHERE workspace_id = id AND outcome = kind ORDER BY seq LIMIT $2)
           AS first
        WHERE at < $1) AS old
     WHERE (SELECT at FROM api_requests WHERE workspace_id = id AND outcome = kind ORDER BY seq LIMIT 1) < $1
     LIMIT $2))`,
)
const expiredMedia = deletion('media_uploads', oldest('media_uploads', 'expires_at <= $1', 'expires_at'))
const expiredSessions = deletion('sessions', oldest('sessions', 'expires_at <= $1', 'expires_at'))
const expiredInvitations = deletion('invitations', oldest('invitations', 'expires_at <= $1', 'expires_at'))
const agedInbound = deletion('inbound_messages', oldest('inbound_messages', 'recorded_at < $1', 'recorded_at'))
// With the names of their files, which users gave.
const agedInboundContents = `WITH aged AS (UPDATE inbound_messages SET content = '{}'
    WHERE ctid = ANY(ARRAY(${oldest('inbound_messages', "content <> '{}' AND recorded_at < $1", 'recorded_at')}
      FOR UPDATE SKIP LOCKED)) RETURNING file_id),
  named AS (UPDATE inbound_files SET file_name = NULL
    WHERE id = ANY(ARRAY(SELECT file_id FROM aged)) AND file_name IS NOT NULL)
  SELECT count(*)::float8 AS count FROM aged`
/** Of a message that waited for its time, its release counts: nothing is left out for any other. */
const isOld = '(released_at IS NULL OR released_at < $1)'
// The oldest come first in the primary key, each with its message: most messages have no content any more, and must not
// be walked through. OFFSET 0 keeps the planner from it. What waits is still to be sent.
const agedContents = deletion(
  'message_contents',
  `SELECT ctid FROM message_contents WHERE message_seq = ANY(ARRAY(
     SELECT message_seq FROM
       (SELECT message_seq, created_at FROM message_contents CROSS JOIN LATERAL
         (SELECT created_at, status, released_at FROM messages WHERE seq = message_seq OFFSET 0) message
        WHERE ${statusText(not(needsContent))} AND ${isOld} ORDER BY message_seq LIMIT $2) oldest
     WHERE created_at < $1))`,
)
// The oldest are the first rows, and nothing else is read. What is not settled stays, however old: it may still be sent
// or settled. What a living idempotency key points to stays as well: its replay must find it. OFFSET 0 keeps the
// planner from reading all keys for it.
const agedMessages = `SELECT seq::float8 AS seq, id FROM messages
  WHERE ${statusText(isPrunable)} AND seq = ANY(ARRAY(
    SELECT seq FROM
      (SELECT seq, created_at FROM messages
       WHERE ${statusText(isPrunable)} AND ${isOld}
         AND NOT EXISTS (SELECT FROM idempotency_keys WHERE message_seq = messages.seq OFFSET 0)
       ORDER BY seq LIMIT $2) oldest
    WHERE created_at < $1))
  ORDER BY id FOR UPDATE SKIP LOCKED`

/**
 * Deletes in small steps, and never waits: rows that another transaction has locked stay until the next time. Each
 * statement finds its rows by an index, oldest first, however many rows there are.
 */
export function pruneVerbs(connection: Connection) {
  const { query } = connection
  const run = async (statement: string, bound: number | string, limit: number): Promise<number> =>
    (await first(query<{ count: number }>(statement, [bound, limit])))?.count ?? 0

  return {
    async pruneIdempotencyKeys({ expiredBefore, usualUntil, limit }) {
      const [pruned] = await query<{ count: number }>(expiredKeys, [expiredBefore, limit, usualUntil])
      return pruned?.count ?? 0
    },

    pruneRateWindows: ({ startedBefore, limit }) => run(endedWindows, startedBefore, limit),

    async pruneParkedReports({ recordedBefore, keep, limit }) {
      const pruned = await run(agedReports, recordedBefore, limit)
      if (pruned >= limit) return pruned
      const left = await first(query<{ count: number }>('SELECT count(*)::float8 AS count FROM parked_reports'))
      const excess = Math.min((left?.count ?? 0) - keep, limit - pruned)
      return excess > 0 ? pruned + (await run(agedReports, Number.MAX_SAFE_INTEGER, excess)) : pruned
    },

    pruneDailyCounts: ({ before, limit }) => run(oldDays, before, limit),

    pruneEvents: ({ recordedBefore, limit }) => run(oldEvents, recordedBefore, limit),

    pruneApiRequests: ({ answeredBefore, limit }) => run(oldCalls, answeredBefore, limit),

    pruneMedia: ({ expiredBefore, limit }) => run(expiredMedia, expiredBefore, limit),

    async pruneSessions({ expiredBefore, limit }) {
      const pruned = await run(expiredSessions, expiredBefore, limit)
      return pruned + (await run(expiredInvitations, expiredBefore, limit - pruned))
    },

    async pruneMessages({ createdBefore, limit }) {
      const old = await query<{ seq: number; id: string }>(agedMessages, [createdBefore, limit])
      if (old.length > 0) await messageDeletion(engineOf(connection))(old)
      return old.length
    },

    pruneContents: ({ createdBefore, limit }) => run(agedContents, createdBefore, limit),

    pruneInboundContents: ({ recordedBefore, limit }) => run(agedInboundContents, recordedBefore, limit),

    pruneInbound: ({ recordedBefore, limit }) => run(agedInbound, recordedBefore, limit),
  } satisfies Partial<StoreWrites>
}
