-- Settles messages that were handed over, and of which nothing else is known: what their event makes of such a message is
-- worked out before (src/message/move.ts). A message of which more is known is left as it is, and gives no row.
-- Answers its ids and times: what a draft brought, and what was asked for, the caller knows. What is asked for is an array for
-- each column, as in acceptMessages.sql. A message of another channel than the caller says is left as it is too.
-- Rows are locked as acceptances and callbacks lock them: keys of callers, counts of months, channels, messages by id, counts
-- of days, and last the counters of events: all messages of a workspace count in the same few rows, and other transactions
-- wait for them. A counter stays locked until the commit: so numbers are in the order of commits, and who has read up to one
-- has missed no smaller one.
CREATE FUNCTION settle_messages(
  channels text[], refused text[], keeps_contents boolean,
  /* columns of an end, an array of each */,
  all_id text[], all_status text[], all_kind text[], all_at bigint[], all_detail text[], all_recorded_at bigint[],
  all_counts text[], all_told text[], all_known bigint[], all_token text[]
)
RETURNS TABLE (id text, workspace_id text, created_at bigint, dispatched_at bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    ns bigint[];
    seqs bigint[];
    workspaces text[];
    created bigint[];
    dispatched bigint[];
    undone bigint[];
  BEGIN
    IF cardinality(refused) > 0 THEN
      PERFORM lock_acceptances_1(refused);
    END IF;
    -- As share_channels_1. A statement of its own: the next one has to see what was parked before these locks.
    IF cardinality(channels) > 0 THEN
      PERFORM pg_advisory_xact_lock_shared(key) FROM (
        SELECT hashtextextended('parked reports of ' || channel_id, 0) AS key
        FROM unnest(channels) AS channel_id ORDER BY key) AS locks;
    END IF;

    WITH locked AS MATERIALIZED (
      -- Written so that no index of the status is used: the ids find them.
      SELECT messages.seq, channel_id, n
      FROM unnest(all_id) WITH ORDINALITY AS asked (id, n)
      JOIN messages ON messages.id = asked.id
      JOIN lines ON lines.seq = line_seq
      WHERE /* it may leave */ AND dispatched_at IS NOT NULL
        AND channel_message_id IS NULL AND wa_id IS NULL AND failures IS NULL AND delivered_at IS NULL AND read_at IS NULL
        AND own_id_at IS NULL AND due_at IS NULL
      ORDER BY messages.id FOR UPDATE OF messages
    ), moved AS (
      UPDATE messages SET
        /* columns of an end, each of the one with the number n */,
        status = all_status[n], sequence = sequence + 1
      FROM locked
      WHERE messages.seq = locked.seq AND (all_channel_message_id[n] IS NULL OR channel_id = ANY (channels))
        AND NOT EXISTS (
          SELECT FROM parked_reports
          WHERE parked_reports.channel_id = locked.channel_id AND channel_message_id = all_channel_message_id[n])
        -- Under another text of the id: whether it is about this message is not decided here.
        AND NOT EXISTS (
          SELECT FROM parked_reports
          WHERE token IS NOT NULL AND parked_reports.channel_id = locked.channel_id AND token = all_token[n])
      RETURNING n, messages.seq, workspace_id, created_at, dispatched_at, gave_up_at
    ), kept AS (
      INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
      SELECT seq, all_kind[n], all_at[n], all_detail[n], all_recorded_at[n] FROM moved ON CONFLICT DO NOTHING
    )
    SELECT array_agg(n), array_agg(seq), array_agg(workspace_id), array_agg(created_at), array_agg(dispatched_at),
        array_agg(seq) FILTER (WHERE gave_up_at IS NOT NULL)
      INTO ns, seqs, workspaces, created, dispatched, undone FROM moved;

    IF cardinality(refused) > 0 THEN
      PERFORM undo_acceptances_1(undone);
    END IF;
    IF NOT keeps_contents THEN
      DELETE FROM message_contents WHERE message_seq = ANY (seqs);
    END IF;
    INSERT INTO daily_counts (workspace_id, day, kind, count)
      SELECT workspace_id, to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, kind, count
      FROM (
        SELECT workspace_id, created_at / 86400000 AS day, kind, count(*) AS count
        FROM unnest(workspaces, created, ns) AS message (workspace_id, created_at, n),
          json_array_elements_text(all_counts[n]::json) AS kind
        GROUP BY 1, 2, 3) AS counted
      ORDER BY workspace_id COLLATE "C", counted.day, kind COLLATE "C"
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
        all_told[n], greatest(all_at[n], created_at), all_recorded_at[n], message.seq, 2, all_known[n]
      FROM unnest(workspaces, seqs, created, ns) AS message (workspace_id, seq, created_at, n)
      JOIN numbered USING (workspace_id);
    RETURN QUERY
      SELECT all_id[n], workspace_id, created_at, dispatched_at
      FROM unnest(ns, workspaces, created, dispatched) AS message (n, workspace_id, created_at, dispatched_at);
  END
  $$;
