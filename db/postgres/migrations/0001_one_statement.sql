-- A send in one statement a phase. Each statement of a function sees what was committed until it began, as those of a
-- transaction that is read committed do. A function is never changed: what replaces it has the next number in its name,
-- because instances of two versions share the database during an update.

-- The rule of a line's pace over all instances. A grant given at `now` is used between then and its end. It is at most what
-- the rate leaves after all grants that ended less than a second ago, or are still used. So no second has more departures
-- than the rate: of the grants that are used in a second, the last given one saw all others of that second.
CREATE FUNCTION share_of_1(
  rate bigint, wanted bigint, now bigint, INOUT ends bigint[], INOUT counts bigint[],
  OUT granted bigint, OUT wait_ms bigint
) LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    used bigint;
  BEGIN
    SELECT array_agg(g.ends ORDER BY g.ends), array_agg(g.count ORDER BY g.ends), coalesce(sum(g.count), 0)
      INTO ends, counts, used
      FROM unnest(ends, counts) AS g (ends, count) WHERE g.ends > now - 1000;
    granted := greatest(0, least(wanted, rate - used));
    wait_ms := 0;
    IF granted < wanted THEN
      -- What is given here is not free for as long as its own validity, so this is the earliest time.
      SELECT greatest(1, min(g.ends) + 1000 - now) INTO wait_ms
        FROM (SELECT e, sum(c) OVER (ORDER BY e) FROM unnest(ends, counts) AS u (e, c)) AS g (ends, freed)
        WHERE used + granted - g.freed < rate;
      wait_ms := coalesce(wait_ms, 1000);
    END IF;
  END
  $$;

-- Locks the paces of lines, in their order, until the end of the transaction. A line without a limit has nothing to share.
CREATE FUNCTION lock_paces_1(lines_asked text[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    limited text[];
    locked bigint;
  BEGIN
    SELECT array_agg(id ORDER BY id) INTO limited FROM lines WHERE id = ANY(lines_asked) AND per_second > 0;
    IF limited IS NULL THEN RETURN; END IF;
    SELECT count(*) INTO locked
      FROM (SELECT FROM line_paces WHERE line_id = ANY(limited) ORDER BY line_id FOR UPDATE) AS paces;
    IF locked = cardinality(limited) THEN RETURN; END IF;
    INSERT INTO line_paces (line_id) SELECT id FROM unnest(limited) AS id ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING;
    PERFORM FROM line_paces WHERE line_id = ANY(limited) ORDER BY line_id FOR UPDATE;
  END
  $$;

-- Gives departures of a line whose pace is locked. `valid_for` is null on a line without a limit. A line that was slowed
-- down doubles its pace again each minute, as in src/message/slowdown.ts.
CREATE FUNCTION give_departures_1(
  line text, wanted bigint, valid_ms bigint, OUT granted bigint, OUT valid_for bigint, OUT wait_ms bigint
) LANGUAGE plpgsql AS $$
  DECLARE
    now bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
    pace record;
    share record;
    ends_at bigint := ceil((now + valid_ms) / 10.0) * 10;
  BEGIN
    SELECT per_second, slowdown, slowed_at, grant_ends, grant_counts,
        greatest(line_paces.paused_until, channel_pauses.paused_until) AS paused_until
      INTO STRICT pace
      FROM lines LEFT JOIN line_paces ON line_id = lines.id
      LEFT JOIN channel_pauses ON channel_pauses.channel_id = lines.channel_id WHERE lines.id = line;
    valid_for := valid_ms;
    IF pace.paused_until > now THEN
      granted := 0;
      wait_ms := pace.paused_until - now;
      RETURN;
    END IF;
    IF pace.per_second = 0 THEN
      granted := wanted;
      valid_for := NULL;
      wait_ms := 0;
      RETURN;
    END IF;
    share := share_of_1(
      greatest(1, floor(pace.per_second
        / greatest(1, pace.slowdown / 2 ^ least(62, greatest(0, (now - coalesce(pace.slowed_at, 0)) / 60000)))))::bigint,
      wanted, now, pace.grant_ends, pace.grant_counts);
    granted := share.granted;
    wait_ms := share.wait_ms;
    IF granted = 0 THEN RETURN; END IF;
    -- The time is rounded up to steps, so that a line has few grants at a time.
    UPDATE line_paces SET (grant_ends, grant_counts) = (
        SELECT array_agg(e ORDER BY e), array_agg(c ORDER BY e) FROM (
          SELECT e, sum(c)::bigint AS c
          FROM (SELECT * FROM unnest(share.ends, share.counts) UNION ALL SELECT ends_at, granted) AS given (e, c)
          GROUP BY e) AS steps)
      WHERE line_id = line;
  END
  $$;

-- A message that is offered, and what becomes of it. The outcome is null as long as it may be accepted.
CREATE TYPE offer_1 AS (
  id text, workspace_id text, line_id text, api_key_id text, contact_id text, recipient text, type text, template_name text,
  request_id text, payload text, created_at bigint, dispatched_at bigint, month text, scope text, key text,
  fingerprint text, expires_at bigint, opens_flow json, closes_flows json,
  seq bigint, line_seq bigint, api_key_seq bigint, plan_limit bigint, plan_used bigint,
  outcome text, message_id text, is_cleared boolean, valid_for bigint, wait_ms bigint
);

-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted. Rows
-- are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of months, paces, messages.
-- No row at all: the lease of the instance is lost, and nothing was stored.
CREATE FUNCTION accept_messages_1(own bigint, valid_ms bigint, offered json)
RETURNS SETOF offer_1 LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    offers offer_1[];
    taken bigint[];
    late bigint[];
    missing text;
    has_keys boolean;
    has_flows boolean;
    share record;
    each record;
    at bigint;
  BEGIN
    PERFORM FROM instances WHERE seq = own FOR KEY SHARE;
    IF NOT FOUND THEN RETURN; END IF;

    -- Locks the lines, so that none of them is removed before its messages are stored.
    WITH asked AS (
      SELECT * FROM ROWS FROM (json_populate_recordset(NULL::offer_1, offered)) WITH ORDINALITY
    ), locked AS (
      SELECT id, seq, removed_at FROM lines WHERE id IN (SELECT line_id FROM asked) ORDER BY id FOR KEY SHARE
    )
    SELECT array_agg((
        asked.id, workspaces.id, line_id, api_key_id, contact_id, recipient, type, template_name, request_id, payload,
        asked.created_at, dispatched_at, asked.month, asked.scope, key, fingerprint, asked.expires_at, opens_flow,
        closes_flows, nextval('messages_seq_seq'), locked.seq, api_keys.seq, monthly_message_limit, coalesce(used, 0),
        CASE
          WHEN locked.removed_at IS NOT NULL THEN 'lineRemoved'
          WHEN used >= monthly_message_limit THEN 'planExhausted'
        END, NULL, NULL, NULL, NULL)::offer_1 ORDER BY ordinality),
        max(CASE
          WHEN workspaces.id IS NULL THEN 'workspace'
          WHEN locked.id IS NULL THEN 'line'
          WHEN api_key_id IS NOT NULL AND api_keys.id IS NULL THEN 'key'
        END),
        bool_or(asked.scope IS NOT NULL), bool_or(opens_flow IS NOT NULL OR closes_flows IS NOT NULL)
      INTO offers, missing, has_keys, has_flows
      FROM asked
      LEFT JOIN locked ON locked.id = line_id
      LEFT JOIN api_keys ON api_keys.id = api_key_id
      LEFT JOIN workspaces ON workspaces.id = asked.workspace_id
      LEFT JOIN plan_usage ON plan_usage.workspace_id = asked.workspace_id AND plan_usage.month = asked.month;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed.
    IF has_keys THEN
      WITH got AS (
        INSERT INTO idempotency_keys AS known (message_seq, scope, key, fingerprint, expires_at)
        SELECT seq, scope, key, decode(fingerprint, 'hex'), expires_at FROM unnest(offers)
        WHERE scope IS NOT NULL AND outcome IS NULL ORDER BY scope COLLATE "C", key COLLATE "C"
        ON CONFLICT (scope, key) DO UPDATE
          SET message_seq = excluded.message_seq, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
          WHERE known.expires_at <= (SELECT created_at FROM unnest(offers) WHERE seq = excluded.message_seq)
        RETURNING message_seq
      )
      SELECT coalesce(array_agg(message_seq), '{}') INTO taken FROM got;
      FOR each IN
        SELECT ordinality AS n, known.fingerprint = decode(offer.fingerprint, 'hex') AS is_same, messages.id AS owner
        FROM unnest(offers) WITH ORDINALITY AS offer
        LEFT JOIN idempotency_keys AS known
          ON known.scope = offer.scope AND known.key = offer.key AND known.expires_at > offer.created_at
        LEFT JOIN messages ON messages.seq = known.message_seq
        WHERE offer.scope IS NOT NULL AND offer.seq <> ALL (taken)
      LOOP
        -- Without an owner, whoever had the key has given it back at this moment.
        offers[each.n].message_id := each.owner;
        offers[each.n].outcome := CASE
          WHEN each.owner IS NULL THEN coalesce(offers[each.n].outcome, 'again')
          WHEN each.is_same THEN 'replayed'
          ELSE 'conflict' END;
      END LOOP;
    END IF;

    -- Counts against the plans, exactly: the rows stay locked until the end of the transaction.
    FOR each IN
      WITH counted AS (
        INSERT INTO plan_usage (workspace_id, month, used)
        SELECT workspace_id, month, count(*) FROM unnest(offers) WHERE outcome IS NULL
        GROUP BY workspace_id, month ORDER BY workspace_id COLLATE "C", month COLLATE "C"
        ON CONFLICT (workspace_id, month) DO UPDATE SET used = plan_usage.used + excluded.used
        RETURNING workspace_id, month, used
      )
      SELECT counted.*, monthly_message_limit AS most FROM counted JOIN workspaces ON id = workspace_id
      WHERE used > monthly_message_limit
    LOOP
      SELECT array_agg(n) INTO late FROM (
        SELECT ordinality AS n FROM unnest(offers) WITH ORDINALITY AS offer
        WHERE outcome IS NULL AND workspace_id = each.workspace_id AND month = each.month
        ORDER BY n DESC LIMIT each.used - each.most) AS beyond;
      UPDATE plan_usage SET used = used - cardinality(late) WHERE workspace_id = each.workspace_id AND month = each.month;
      FOREACH at IN ARRAY late LOOP
        offers[at].outcome := 'planExhausted';
        offers[at].plan_limit := each.most;
        offers[at].plan_used := each.used - cardinality(late);
        DELETE FROM idempotency_keys WHERE message_seq = offers[at].seq;
      END LOOP;
    END LOOP;

    PERFORM lock_paces_1((SELECT array_agg(line_id) FROM unnest(offers) WHERE outcome IS NULL AND dispatched_at IS NOT NULL));
    FOR each IN
      SELECT line_id, array_agg(ordinality ORDER BY ordinality) AS places FROM unnest(offers) WITH ORDINALITY AS offer
      WHERE outcome IS NULL AND dispatched_at IS NOT NULL GROUP BY line_id
    LOOP
      share := give_departures_1(each.line_id, cardinality(each.places), valid_ms);
      FOREACH at IN ARRAY each.places LOOP
        offers[at].is_cleared := array_position(each.places, at) <= share.granted;
        offers[at].valid_for := share.valid_for;
        offers[at].wait_ms := share.wait_ms;
      END LOOP;
    END LOOP;

    INSERT INTO messages (seq, id, workspace_id, line_seq, contact_id, recipient, type, template_name, status, api_key_seq,
        idempotency_key, request_id, created_at, dispatched_at, instance_seq)
      SELECT seq, id, workspace_id, line_seq, contact_id, recipient, type, template_name, 'QUEUED', api_key_seq,
        key, request_id, created_at, CASE WHEN is_cleared THEN dispatched_at END, own
      FROM unnest(offers) WHERE outcome IS NULL;
    INSERT INTO message_contents (message_seq, payload) SELECT seq, payload FROM unnest(offers) WHERE outcome IS NULL;

    -- docs/partner-api.md#flow-sessions: a message closes active flows before it opens its own, and only on the line that
    -- the send named. A later one also closes what an earlier one opens.
    IF has_flows THEN
      FOR each IN
        SELECT * FROM unnest(offers) WITH ORDINALITY AS offer
        WHERE outcome IS NULL AND (opens_flow IS NOT NULL OR closes_flows IS NOT NULL) ORDER BY ordinality
      LOOP
        UPDATE flow_sessions SET closed_at = each.created_at, closed_by = 'revalidated'
          WHERE contact_id = each.closes_flows ->> 'contactId' AND closed_at IS NULL
            AND line_id = coalesce(each.closes_flows ->> 'lineId', line_id);
        INSERT INTO flow_sessions (message_id, contact_id, line_id, flow_token, opened_at)
          SELECT each.id, each.opens_flow ->> 'contactId', each.line_id, each.opens_flow ->> 'flowToken', each.created_at
          WHERE each.opens_flow IS NOT NULL;
      END LOOP;
    END IF;

    RETURN QUERY SELECT * FROM unnest(offers);
  END
  $$;

-- Locks what refusals change before the messages: keys of callers, then the counts of months. It has to come first in a
-- transaction.
CREATE FUNCTION lock_acceptances_1(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM idempotency_keys WHERE message_seq IN (SELECT seq FROM messages WHERE id = ANY (ids))
      ORDER BY scope, key FOR UPDATE;
    PERFORM FROM plan_usage WHERE (workspace_id, month) IN (
        SELECT workspace_id, to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')
        FROM messages WHERE id = ANY (ids))
      ORDER BY workspace_id, month FOR UPDATE;
  END
  $$;

-- Of messages that were refused: their keys are free again, they count in no month, and have opened no flow.
CREATE FUNCTION undo_acceptances_1(seqs bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM idempotency_keys WHERE message_seq = ANY (seqs);
    UPDATE plan_usage SET used = greatest(used - refused, 0)
      FROM (SELECT messages.workspace_id AS of_workspace, count(*) AS refused,
              to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AS in_month
            FROM messages WHERE seq = ANY (seqs) GROUP BY 1, 3) AS undone
      WHERE workspace_id = of_workspace AND month = in_month;
    UPDATE flow_sessions SET closed_at = gave_up_at, closed_by = 'refused'
      FROM messages WHERE message_id = messages.id AND seq = ANY (seqs) AND closed_at IS NULL;
  END
  $$;

-- Shares the lock of the channels of these messages (db/postgres/parking.ts).
CREATE FUNCTION share_channels_1(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(key) FROM (
      SELECT DISTINCT hashtextextended('parked reports of ' || channel_id, 0) AS key
      FROM messages JOIN lines ON lines.seq = line_seq WHERE messages.id = ANY (ids) ORDER BY key) AS locks;
  END
  $$;

-- What an event makes of a message of which nothing but its hand-over is known, and its entry on the timeline.
CREATE TYPE end_1 AS (
  id text, status text, "acceptedAt" bigint, "gaveUpAt" bigint, "gaveUpReason" text, "lostAt" bigint,
  "channelMessageId" text, "waId" text, kind text, at bigint, detail text, "recordedAt" bigint, counts json
);

-- Settles messages that were handed over, and of which nothing else is known: what their event makes of such a message is
-- worked out before (src/message/move.ts). A message of which more is known is left as it is, and gives no row.
-- Rows are locked as acceptances and callbacks lock them: keys of callers, counts of months, channels, messages by id, and
-- last the counts of days: all messages of a workspace count in the same few rows, and other transactions wait for them.
CREATE FUNCTION settle_messages_1(ids text[], named text[], refused text[], ends json, keeps_contents boolean)
RETURNS TABLE (id text, workspace_id text, created_at float8, dispatched_at float8)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  #variable_conflict use_column
  DECLARE
    settled messages[];
  BEGIN
    IF cardinality(refused) > 0 THEN
      PERFORM lock_acceptances_1(refused);
    END IF;
    IF cardinality(named) > 0 THEN
      PERFORM share_channels_1(named);
    END IF;

    WITH asked AS (
      SELECT * FROM json_populate_recordset(NULL::end_1, ends)
    ), locked AS MATERIALIZED (
      -- Written so that no index of the status is used: the ids find them.
      SELECT messages.seq, messages.id, channel_id FROM messages JOIN lines ON lines.seq = line_seq
      WHERE messages.id = ANY (ids) AND status IS NOT DISTINCT FROM 'QUEUED' AND dispatched_at IS NOT NULL
        AND channel_message_id IS NULL AND wa_id IS NULL AND failures IS NULL AND delivered_at IS NULL AND read_at IS NULL
      ORDER BY messages.id FOR UPDATE OF messages
    ), moved AS (
      UPDATE messages SET status = asked.status, accepted_at = asked."acceptedAt", gave_up_at = asked."gaveUpAt",
        gave_up_reason = asked."gaveUpReason", lost_at = asked."lostAt", channel_message_id = asked."channelMessageId",
        wa_id = asked."waId"
      FROM asked JOIN locked ON locked.id = asked.id
      WHERE messages.seq = locked.seq AND NOT EXISTS (
        SELECT FROM parked_reports
        WHERE parked_reports.channel_id = locked.channel_id AND channel_message_id = asked."channelMessageId")
      RETURNING messages AS message, asked.kind, asked.at, asked.detail, asked."recordedAt"
    ), told AS (
      INSERT INTO message_events (message_seq, kind, at, detail, recorded_at)
      SELECT (message).seq, kind, at, detail, "recordedAt" FROM moved ON CONFLICT DO NOTHING
    )
    SELECT array_agg(message) INTO settled FROM moved;

    IF cardinality(refused) > 0 THEN
      PERFORM undo_acceptances_1(ARRAY(SELECT seq FROM unnest(settled) WHERE gave_up_at IS NOT NULL));
    END IF;
    IF NOT keeps_contents THEN
      DELETE FROM message_contents WHERE message_seq IN (SELECT seq FROM unnest(settled));
    END IF;
    INSERT INTO daily_counts (workspace_id, day, kind, count)
      SELECT workspace_id, to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, counted, count(*)
      FROM unnest(settled) AS message JOIN json_populate_recordset(NULL::end_1, ends) AS ended ON ended.id = message.id,
        json_array_elements_text(counts) AS counted
      GROUP BY 1, 2, 3 ORDER BY 1, 2, counted COLLATE "C"
      ON CONFLICT (workspace_id, day, kind) DO UPDATE SET count = daily_counts.count + excluded.count;
    RETURN QUERY SELECT id, workspace_id, created_at::float8, dispatched_at::float8 FROM unnest(settled);
  END
  $$;
