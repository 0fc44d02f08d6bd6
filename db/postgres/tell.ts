import type { NewEvent } from '../contract/events.ts'
import { type Connection, jsonRows } from './open.ts'

/** While nothing is unread, or open, what is past changes nothing about that. */
const alsoPast = (mark: 'read_seq' | 'done_seq') => `${mark} = CASE WHEN ${mark} >= coalesce(heard_seq, 0)
      THEN greatest(${mark}, coalesce(first - 1, last)) ELSE ${mark} END`

/**
 * Numbers events and stores them. The counter of each workspace stays locked until the commit: so numbers are in the
 * order of commits.
 */
const tellAll = `WITH told AS MATERIALIZED (
    SELECT * FROM ROWS FROM (json_to_recordset($1::text::json) AS ("workspaceId" text, type text, at bigint,
      "recordedAt" bigint, "messageSeq" bigint, sequence bigint, known bigint, subject text, data text,
      inbound json, "spokenTo" text)) WITH ORDINALITY
  ), counted AS (
    INSERT INTO event_counters AS counters (workspace_id, last)
    SELECT "workspaceId", count(*) FROM told GROUP BY "workspaceId" ORDER BY "workspaceId" COLLATE "C"
    ON CONFLICT (workspace_id) DO UPDATE SET last = counters.last + excluded.last
    RETURNING workspace_id, last
  ), numbered AS MATERIALIZED (
    SELECT told.*, last - count(*) OVER (PARTITION BY workspace_id)
      + row_number() OVER (PARTITION BY workspace_id ORDER BY ordinality) AS seq
    FROM told JOIN counted ON workspace_id = "workspaceId"
  ), received AS (
    -- The arrays lead to the key: for the rows alone, which the server takes for a hundred, it would read all messages.
    UPDATE inbound_messages SET workspace_id = "workspaceId", seq = numbered.seq FROM numbered
    WHERE channel_id = ANY(ARRAY(SELECT inbound ->> 'channelId' FROM told))
      AND channel_message_id = ANY(ARRAY(SELECT inbound ->> 'channelMessageId' FROM told))
      AND channel_id = inbound ->> 'channelId' AND channel_message_id = inbound ->> 'channelMessageId'
    RETURNING contact_id, numbered.seq, inbound ->> 'heard' AS heard
  ), said AS (
    SELECT contact_id, max(seq) AS last, min(seq) FILTER (WHERE heard = 'now') AS first
    FROM received WHERE contact_id IS NOT NULL AND heard <> 'no' GROUP BY contact_id
  ), heard AS (
    UPDATE contacts SET heard_seq = last, ${alsoPast('read_seq')}, ${alsoPast('done_seq')}
    FROM said WHERE id = contact_id
  ), spoken AS (
    UPDATE contacts SET spoken_seq = seq, heard_seq = coalesce(heard_seq, seq),
      read_seq = CASE WHEN heard_seq IS NULL THEN seq ELSE read_seq END
    FROM numbered WHERE contacts.id = ANY(ARRAY(SELECT "spokenTo" FROM told WHERE "spokenTo" IS NOT NULL))
      AND contacts.id = "spokenTo"
  )
  INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known, subject, data)
  SELECT "workspaceId", seq, type, at, "recordedAt", "messageSeq", sequence, known, subject, data
  FROM numbered WHERE type IS NOT NULL`

/** Comes last in a transaction, as other transactions wait for the counter. It must be READ COMMITTED. */
export async function tell({ query }: Connection, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await query(tellAll, [jsonRows(events)])
}
