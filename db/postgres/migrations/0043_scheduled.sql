DROP INDEX "messages_unsettled";
ALTER TABLE "messages" ADD COLUMN "due_at" bigint;
ALTER TABLE "messages" ADD COLUMN "released_at" bigint;
ALTER TABLE "messages" ADD COLUMN "cancelled_at" bigint;
CREATE INDEX "messages_due" ON "messages" USING btree ("line_seq","due_at","seq") WHERE status = 'SCHEDULED';
CREATE INDEX "messages_unsettled" ON "messages" USING btree ("status",right(workspace_id, 6),"id") WHERE status IN ('SCHEDULED', 'QUEUED', 'UNKNOWN');

-- Settles messages that were handed over, and of which nothing else is known: what their event makes of such a message is
-- worked out before (src/message/move.ts). A message of which more is known is left as it is, and gives no row.
-- Answers its ids and times: what a draft brought, and what was asked for, the caller knows.
-- Rows are locked as acceptances and callbacks lock them: keys of callers, counts of months, channels, messages by id, counts
-- of days, and last the counters of events: all messages of a workspace count in the same few rows, and other transactions
-- wait for them. A counter stays locked until the commit: so numbers are in the order of commits, and who has read up to one
-- has missed no smaller one.
CREATE FUNCTION settle_messages_9(ids text[], named text[], refused text[], ends json, keeps_contents boolean)
RETURNS TABLE (id text, workspace_id text, created_at bigint, dispatched_at bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    seqs bigint[];
    settled text[];
    workspaces text[];
    created bigint[];
    dispatched bigint[];
    counted json[];
    undone bigint[];
    types text[];
    knowns bigint[];
    ats bigint[];
    recorded bigint[];
  BEGIN
    IF cardinality(refused) > 0 THEN
      PERFORM lock_acceptances_1(refused);
    END IF;
    -- As share_channels_1. A statement of its own: the next one has to see what was parked before these locks.
    IF cardinality(named) > 0 THEN
      PERFORM pg_advisory_xact_lock_shared(key) FROM (
        SELECT hashtextextended('parked reports of ' || channel_id, 0) AS key
        FROM messages JOIN lines ON lines.seq = line_seq WHERE messages.id = ANY (named) ORDER BY key) AS locks;
    END IF;

    WITH locked AS MATERIALIZED (
      -- Written so that no index of the status is used: the ids find them.
      SELECT messages.seq, messages.id, channel_id FROM messages JOIN lines ON lines.seq = line_seq
      WHERE messages.id = ANY (ids) AND status IS NOT DISTINCT FROM 'QUEUED' AND dispatched_at IS NOT NULL
        AND channel_message_id IS NULL AND wa_id IS NULL AND failures IS NULL AND delivered_at IS NULL AND read_at IS NULL
        AND own_id_at IS NULL AND due_at IS NULL
      ORDER BY messages.id FOR UPDATE OF messages
    ), moved AS (
      UPDATE messages SET
        accepted_at = asked."acceptedAt", gave_up_at = asked."gaveUpAt", gave_up_reason = asked."gaveUpReason", lost_at = asked."lostAt", channel_message_id = asked."channelMessageId", wa_id = asked."waId",
        status = asked.status, sequence = sequence + 1
      FROM json_to_recordset(ends) AS asked (
        "acceptedAt" bigint, "gaveUpAt" bigint, "gaveUpReason" text, "lostAt" bigint, "channelMessageId" text, "waId" text,
        id text, status text, kind text, at bigint, detail text, "recordedAt" bigint, counts json, told text, known bigint,
        token text)
      JOIN locked ON locked.id = asked.id
      WHERE messages.seq = locked.seq AND NOT EXISTS (
        SELECT FROM parked_reports
        WHERE parked_reports.channel_id = locked.channel_id AND channel_message_id = asked."channelMessageId")
        -- Under another text of the id: whether it is about this message is not decided here.
        AND NOT EXISTS (
          SELECT FROM parked_reports
          WHERE token IS NOT NULL AND parked_reports.channel_id = locked.channel_id AND token = asked.token)
      RETURNING messages.seq, messages.id, workspace_id, created_at, dispatched_at, gave_up_at, asked.kind, asked.at,
        asked.detail, asked."recordedAt", asked.counts, asked.told, asked.known
    ), kept AS (
      INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
      SELECT seq, kind, at, detail, "recordedAt" FROM moved ON CONFLICT DO NOTHING
    )
    SELECT array_agg(seq), array_agg(id), array_agg(workspace_id), array_agg(created_at), array_agg(dispatched_at),
        array_agg(counts), array_agg(seq) FILTER (WHERE gave_up_at IS NOT NULL),
        array_agg(told), array_agg(known), array_agg(at), array_agg("recordedAt")
      INTO seqs, settled, workspaces, created, dispatched, counted, undone, types, knowns, ats, recorded FROM moved;

    IF cardinality(refused) > 0 THEN
      PERFORM undo_acceptances_1(undone);
    END IF;
    IF NOT keeps_contents THEN
      DELETE FROM message_contents WHERE message_seq = ANY (seqs);
    END IF;
    INSERT INTO daily_counts (workspace_id, day, kind, count)
      SELECT workspace_id, to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, kind, count(*)
      FROM unnest(workspaces, created, counted) AS message (workspace_id, created_at, counts),
        json_array_elements_text(counts) AS kind
      GROUP BY 1, 2, 3 ORDER BY 1, 2, kind COLLATE "C"
      ON CONFLICT (workspace_id, day, kind) DO UPDATE SET count = daily_counts.count + excluded.count;
    WITH numbered AS (
      INSERT INTO event_counters AS counters (workspace_id, last)
        SELECT workspace_id, count(*) FROM unnest(workspaces) AS workspace_id
        GROUP BY workspace_id ORDER BY workspace_id COLLATE "C"
        ON CONFLICT (workspace_id) DO UPDATE SET last = counters.last + excluded.last
        RETURNING workspace_id, last
    )
    INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known)
      SELECT workspace_id,
        last - count(*) OVER (PARTITION BY workspace_id) + row_number() OVER (PARTITION BY workspace_id ORDER BY message.seq),
        type, greatest(at, created_at), recorded_at, message.seq, 2, known
      FROM unnest(workspaces, seqs, created, types, knowns, ats, recorded)
        AS message (workspace_id, seq, created_at, type, known, at, recorded_at)
      JOIN numbered USING (workspace_id);
    RETURN QUERY SELECT * FROM unnest(settled, workspaces, created, dispatched);
  END
  $$;

-- As the functions before them: one that waited for its time counts in the month of its release.
CREATE FUNCTION lock_acceptances_2(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM idempotency_keys WHERE message_seq IN (SELECT seq FROM messages WHERE id = ANY (ids))
      ORDER BY scope, key FOR UPDATE;
    PERFORM FROM plan_usage WHERE (workspace_id, month) IN (
        SELECT workspace_id, to_char(to_timestamp(coalesce(released_at, created_at) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')
        FROM messages WHERE id = ANY (ids))
      ORDER BY workspace_id, month FOR UPDATE;
  END
  $$;
CREATE FUNCTION undo_acceptances_2(seqs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM idempotency_keys WHERE message_seq = ANY (seqs);
    UPDATE plan_usage SET used = greatest(used - refused, 0)
      FROM (SELECT messages.workspace_id AS of_workspace, count(*) AS refused,
              to_char(to_timestamp(coalesce(released_at, created_at) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AS in_month
            FROM messages WHERE seq = ANY (seqs) GROUP BY 1, 3) AS undone
      WHERE workspace_id = of_workspace AND month = in_month;
    UPDATE flow_sessions SET closed_at = gave_up_at, closed_by = 'refused'
      FROM messages WHERE message_id = messages.id AND seq = ANY (seqs) AND closed_at IS NULL;
  END
  $$;
