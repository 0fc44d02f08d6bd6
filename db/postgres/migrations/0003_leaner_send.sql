-- A send on less of the server's processor, and the counts of requests in one statement. What follows replaces functions of
-- 0001_one_statement.sql, which instances of the version before still call. Most of what such a function took was not the
-- work on tables but to begin statements and to carry rows of thirty columns from one to the next: here are fewer statements,
-- and an array for each column that is decided.

-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted: a row
-- for each, in their order. Rows are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of
-- months, paces, messages. No row at all: the lease of the instance is lost, and nothing was stored.
CREATE FUNCTION accept_messages_2(own bigint, valid_ms bigint, offered json)
RETURNS TABLE (
  outcome text, message_id text, plan_limit bigint, plan_used bigint, is_cleared boolean, valid_for bigint, wait_ms bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    seqs bigint[];
    line_seqs bigint[];
    key_seqs bigint[];
    outcomes text[];
    owners text[];
    limits bigint[];
    useds bigint[];
    clears boolean[];
    valids bigint[];
    waits bigint[];
    taken bigint[];
    late bigint[];
    missing text;
    is_alive boolean;
    has_keys boolean;
    has_flows boolean;
    is_paced boolean;
    share record;
    each record;
    at bigint;
  BEGIN
    -- Locks the own instance, and then the lines, so that none of them is removed before its messages are stored. A line without
    -- a limit that is not paused has nothing to share.
    WITH fence AS MATERIALIZED (
      SELECT FROM instances WHERE seq = own FOR KEY SHARE
    ), asked AS (
      SELECT * FROM ROWS FROM (json_to_recordset(offered) AS (
        workspace_id text, line_id text, api_key_id text, month text, scope text, dispatched_at bigint, opens_flow json,
        closes_flows json)) WITH ORDINALITY
    ), locked AS MATERIALIZED (
      SELECT id, seq, channel_id, removed_at, per_second FROM lines
      WHERE EXISTS (SELECT FROM fence) AND id IN (SELECT line_id FROM asked) ORDER BY id FOR KEY SHARE
    ), judged AS (
      SELECT locked.seq AS line_seq, api_keys.seq AS key_seq, monthly_message_limit, coalesce(used, 0) AS used,
        CASE
          WHEN removed_at IS NOT NULL THEN 'lineRemoved'
          WHEN used >= monthly_message_limit THEN 'planExhausted'
        END AS outcome,
        CASE
          WHEN workspaces.id IS NULL THEN 'workspace'
          WHEN locked.id IS NULL THEN 'line'
          WHEN api_key_id IS NOT NULL AND api_keys.id IS NULL THEN 'key'
        END AS missing,
        asked.scope IS NOT NULL AS has_key,
        opens_flow IS NOT NULL OR closes_flows IS NOT NULL AS has_flow,
        dispatched_at IS NOT NULL AS asks_to_leave,
        per_second > 0 OR greatest(line_paces.paused_until, channel_pauses.paused_until)
          > floor(extract(epoch FROM clock_timestamp()) * 1000) AS is_paced
      FROM asked
      LEFT JOIN locked ON locked.id = asked.line_id
      LEFT JOIN api_keys ON api_keys.id = api_key_id
      LEFT JOIN workspaces ON workspaces.id = asked.workspace_id
      LEFT JOIN plan_usage ON plan_usage.workspace_id = asked.workspace_id AND plan_usage.month = asked.month
      LEFT JOIN line_paces ON line_paces.line_id = locked.id
      LEFT JOIN channel_pauses ON channel_pauses.channel_id = locked.channel_id
      ORDER BY ordinality
    )
    SELECT EXISTS (SELECT FROM fence), max(missing), bool_or(has_key), bool_or(has_flow), bool_or(asks_to_leave AND is_paced),
        array_agg(nextval('messages_seq_seq')), array_agg(line_seq), array_agg(key_seq), array_agg(outcome),
        array_agg(NULL::text), array_agg(monthly_message_limit), array_agg(used), array_agg(asks_to_leave),
        array_agg(NULL::bigint), array_agg(NULL::bigint)
      INTO is_alive, missing, has_keys, has_flows, is_paced,
        seqs, line_seqs, key_seqs, outcomes, owners, limits, useds, clears, valids, waits
      FROM judged;
    IF NOT is_alive THEN RETURN; END IF;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed.
    IF has_keys THEN
      WITH got AS (
        INSERT INTO idempotency_keys AS known (message_seq, scope, key, fingerprint, expires_at)
        SELECT seq, scope, key, decode(fingerprint, 'hex'), expires_at
        FROM ROWS FROM (
          json_to_recordset(offered) AS (scope text, key text, fingerprint text, expires_at bigint),
          unnest(seqs), unnest(outcomes)) AS offer (scope, key, fingerprint, expires_at, seq, outcome)
        WHERE scope IS NOT NULL AND outcome IS NULL ORDER BY scope COLLATE "C", key COLLATE "C"
        ON CONFLICT (scope, key) DO UPDATE
          SET message_seq = excluded.message_seq, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
          WHERE known.expires_at <= (
            SELECT created_at
            FROM ROWS FROM (json_to_recordset(offered) AS (created_at bigint), unnest(seqs)) AS offer (created_at, seq)
            WHERE seq = excluded.message_seq)
        RETURNING message_seq
      )
      SELECT coalesce(array_agg(message_seq), '{}') INTO taken FROM got;
      FOR each IN
        SELECT n, known.fingerprint = decode(offer.fingerprint, 'hex') AS is_same, messages.id AS owner
        FROM ROWS FROM (
          json_to_recordset(offered) AS (scope text, key text, fingerprint text, created_at bigint), unnest(seqs)
        ) WITH ORDINALITY AS offer (scope, key, fingerprint, created_at, seq, n)
        LEFT JOIN idempotency_keys AS known
          ON known.scope = offer.scope AND known.key = offer.key AND known.expires_at > offer.created_at
        LEFT JOIN messages ON messages.seq = known.message_seq
        WHERE offer.scope IS NOT NULL AND offer.seq <> ALL (taken)
      LOOP
        -- Without an owner, whoever had the key has given it back at this moment.
        owners[each.n] := each.owner;
        outcomes[each.n] := CASE
          WHEN each.owner IS NULL THEN coalesce(outcomes[each.n], 'again')
          WHEN each.is_same THEN 'replayed'
          ELSE 'conflict' END;
      END LOOP;
    END IF;

    -- Counts against the plans, exactly: the rows stay locked until the end of the transaction.
    FOR each IN
      WITH counted AS (
        INSERT INTO plan_usage (workspace_id, month, used)
        SELECT workspace_id, month, count(*)
        FROM ROWS FROM (json_to_recordset(offered) AS (workspace_id text, month text), unnest(outcomes))
          AS offer (workspace_id, month, outcome)
        WHERE outcome IS NULL GROUP BY workspace_id, month ORDER BY workspace_id COLLATE "C", month COLLATE "C"
        ON CONFLICT (workspace_id, month) DO UPDATE SET used = plan_usage.used + excluded.used
        RETURNING workspace_id, month, used
      )
      SELECT counted.*, monthly_message_limit AS most FROM counted JOIN workspaces ON id = workspace_id
      WHERE used > monthly_message_limit
    LOOP
      SELECT array_agg(n) INTO late FROM (
        SELECT n FROM ROWS FROM (json_to_recordset(offered) AS (workspace_id text, month text), unnest(outcomes))
          WITH ORDINALITY AS offer (workspace_id, month, outcome, n)
        WHERE outcome IS NULL AND workspace_id = each.workspace_id AND month = each.month
        ORDER BY n DESC LIMIT each.used - each.most) AS beyond;
      UPDATE plan_usage SET used = used - cardinality(late) WHERE workspace_id = each.workspace_id AND month = each.month;
      FOREACH at IN ARRAY late LOOP
        outcomes[at] := 'planExhausted';
        limits[at] := each.most;
        useds[at] := each.used - cardinality(late);
        DELETE FROM idempotency_keys WHERE message_seq = seqs[at];
      END LOOP;
    END LOOP;

    IF is_paced THEN
      PERFORM lock_paces_1(ARRAY(SELECT line_id FROM json_to_recordset(offered) AS offer (line_id text)));
      FOR each IN
        SELECT line_id, array_agg(n ORDER BY n) AS places
        FROM ROWS FROM (json_to_recordset(offered) AS (line_id text, dispatched_at bigint), unnest(outcomes))
          WITH ORDINALITY AS offer (line_id, dispatched_at, outcome, n)
        WHERE outcome IS NULL AND dispatched_at IS NOT NULL GROUP BY line_id
      LOOP
        share := give_departures_1(each.line_id, cardinality(each.places), valid_ms);
        FOREACH at IN ARRAY each.places LOOP
          clears[at] := array_position(each.places, at) <= share.granted;
          valids[at] := share.valid_for;
          waits[at] := share.wait_ms;
        END LOOP;
      END LOOP;
    END IF;

    WITH offer AS MATERIALIZED (
      SELECT * FROM ROWS FROM (
        json_to_recordset(offered) AS (id text, workspace_id text, contact_id text, recipient text, type text,
          template_name text, key text, request_id text, created_at bigint, dispatched_at bigint, payload text),
        unnest(seqs), unnest(line_seqs), unnest(key_seqs), unnest(outcomes), unnest(clears)
      ) AS offer (id, workspace_id, contact_id, recipient, type, template_name, key, request_id, created_at, dispatched_at,
        payload, seq, line_seq, key_seq, outcome, is_cleared)
      WHERE outcome IS NULL
    ), stored AS (
      INSERT INTO messages (seq, id, workspace_id, line_seq, contact_id, recipient, type, template_name, status, api_key_seq,
        idempotency_key, request_id, created_at, dispatched_at, instance_seq)
      SELECT seq, id, workspace_id, line_seq, contact_id, recipient, type, template_name, 'QUEUED', key_seq,
        key, request_id, created_at, CASE WHEN is_cleared THEN dispatched_at END, own
      FROM offer
    )
    INSERT INTO message_contents (message_seq, payload) SELECT seq, payload FROM offer;

    -- docs/partner-api.md#flow-sessions: a message closes active flows before it opens its own, and only on the line that
    -- the send named. A later one also closes what an earlier one opens.
    IF has_flows THEN
      FOR each IN
        SELECT * FROM ROWS FROM (
          json_to_recordset(offered) AS (id text, line_id text, created_at bigint, opens_flow json, closes_flows json),
          unnest(outcomes)
        ) WITH ORDINALITY AS offer (id, line_id, created_at, opens_flow, closes_flows, outcome, n)
        WHERE outcome IS NULL AND (opens_flow IS NOT NULL OR closes_flows IS NOT NULL) ORDER BY n
      LOOP
        UPDATE flow_sessions SET closed_at = each.created_at, closed_by = 'revalidated'
          WHERE contact_id = each.closes_flows ->> 'contactId' AND closed_at IS NULL
            AND line_id = coalesce(each.closes_flows ->> 'lineId', line_id);
        INSERT INTO flow_sessions (message_id, contact_id, line_id, flow_token, opened_at)
          SELECT each.id, each.opens_flow ->> 'contactId', each.line_id, each.opens_flow ->> 'flowToken', each.created_at
          WHERE each.opens_flow IS NOT NULL;
      END LOOP;
    END IF;

    RETURN QUERY SELECT * FROM unnest(outcomes, owners, limits, useds, clears, valids, waits);
  END
  $$;

-- Settles messages that were handed over, and of which nothing else is known: what their event makes of such a message is
-- worked out before (src/message/move.ts). A message of which more is known is left as it is, and gives no row.
-- Rows are locked as acceptances and callbacks lock them: keys of callers, counts of months, channels, messages by id, and
-- last the counts of days: all messages of a workspace count in the same few rows, and other transactions wait for them.
CREATE FUNCTION settle_messages_2(ids text[], named text[], refused text[], ends json, keeps_contents boolean)
RETURNS TABLE (id text, workspace_id text, created_at float8, dispatched_at float8)
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
      ORDER BY messages.id FOR UPDATE OF messages
    ), moved AS (
      UPDATE messages SET status = asked.status, accepted_at = asked."acceptedAt", gave_up_at = asked."gaveUpAt",
        gave_up_reason = asked."gaveUpReason", lost_at = asked."lostAt", channel_message_id = asked."channelMessageId",
        wa_id = asked."waId"
      FROM json_populate_recordset(NULL::end_1, ends) AS asked JOIN locked ON locked.id = asked.id
      WHERE messages.seq = locked.seq AND NOT EXISTS (
        SELECT FROM parked_reports
        WHERE parked_reports.channel_id = locked.channel_id AND channel_message_id = asked."channelMessageId")
      RETURNING messages.seq, messages.id, workspace_id, created_at, dispatched_at, gave_up_at, asked.kind, asked.at,
        asked.detail, asked."recordedAt", asked.counts
    ), told AS (
      INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
      SELECT seq, kind, at, detail, "recordedAt" FROM moved ON CONFLICT DO NOTHING
    )
    SELECT array_agg(seq), array_agg(id), array_agg(workspace_id), array_agg(created_at), array_agg(dispatched_at),
        array_agg(counts), array_agg(seq) FILTER (WHERE gave_up_at IS NOT NULL)
      INTO seqs, settled, workspaces, created, dispatched, counted, undone FROM moved;

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
    RETURN QUERY SELECT * FROM unnest(settled, workspaces, created::float8[], dispatched::float8[]);
  END
  $$;

-- Counts requests in the windows of their subjects. Each of `asked` stands for `wanted` equal requests: its first `granted`
-- count for all of its subjects, because each of these has one left, and the others for none. `counts` is what the windows
-- of its subjects had before, and `now` the time of all of them. All rows are locked first, in one order.
-- A window is not worth the wait for the disk: after a crash of the server, the requests of the last moment may not be counted.
CREATE FUNCTION count_requests_1(asked json)
RETURNS TABLE (counts float8[], granted float8, now float8)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    counted_at bigint;
    each record;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    counted_at := floor(extract(epoch FROM clock_timestamp()) * 1000);
    INSERT INTO rate_windows (subject, starts_at, count)
      SELECT subject, counted_at - counted_at % max("windowMs"), 0
      FROM json_to_recordset(asked) AS request (subjects json, "windowMs" bigint), json_array_elements_text(subjects) AS subject
      GROUP BY subject ORDER BY subject COLLATE "C"
      ON CONFLICT (subject) DO UPDATE SET
        starts_at = greatest(rate_windows.starts_at, excluded.starts_at),
        count = CASE WHEN rate_windows.starts_at < excluded.starts_at THEN 0 ELSE rate_windows.count END;
    now := floor(extract(epoch FROM clock_timestamp()) * 1000);
    FOR each IN
      SELECT ARRAY(SELECT json_array_elements_text(subjects)) AS subjects,
        ARRAY(SELECT json_array_elements_text(limits)::bigint) AS limits, wanted
      FROM json_to_recordset(asked) AS request (subjects json, limits json, wanted bigint)
    LOOP
      SELECT array_agg(rate_windows.count::float8 ORDER BY place),
          greatest(0, least(each.wanted, min(most - rate_windows.count)))::float8
        INTO counts, granted
        FROM unnest(each.subjects, each.limits) WITH ORDINALITY AS request (subject, most, place)
        JOIN rate_windows ON rate_windows.subject = request.subject;
      IF granted > 0 THEN
        UPDATE rate_windows SET count = rate_windows.count + granted::bigint WHERE subject = ANY (each.subjects);
      END IF;
      RETURN NEXT;
    END LOOP;
  END
  $$;
