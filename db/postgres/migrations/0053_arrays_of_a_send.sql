-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted: a row
-- for each, in their order. Rows are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of
-- months, paces, messages, counters of events. No row at all: the lease of the instance is lost, and nothing was stored.
-- Most of what such a function takes is not the work on tables but to begin statements, and to carry rows of many columns
-- from one to the next. So these are few statements, and what is offered and what is decided is an array for each column:
-- a statement takes what it needs of the draft number n, where JSON would be parsed again by each of them.
-- Of its two forms, the one that tells also gives the event message.queued for each message that is accepted, where a webhook
-- that is on names it. To look for such webhooks would take a twentieth of every call, and mostly there are none.
CREATE FUNCTION accept_messages_12(
  own bigint, valid_ms bigint,
  all_id text[], all_workspace_id text[], all_contact_id text[], all_recipient text[], all_type text[], all_template_name text[], all_request_id text[], all_reference text[], all_again_of text[], all_created_at bigint[], all_template_language text[],
  all_line_id text[], all_api_key_id text[], all_payload text[], all_dispatched_at bigint[], all_month text[],
  all_scope text[], all_key text[], all_fingerprint text[], all_expires_at bigint[],
  all_opens_flow text[], all_closes_flows text[], all_generation bigint[]
)
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
    keyed bigint;
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
    ), locked AS MATERIALIZED (
      SELECT id, seq, channel_id, removed_at, per_second FROM lines
      WHERE EXISTS (SELECT FROM fence) AND id = ANY (all_line_id) ORDER BY id FOR KEY SHARE
    ), judged AS (
      SELECT locked.seq AS line_seq, api_keys.seq AS key_seq, monthly_message_limit, coalesce(used, 0) AS used,
        CASE
          -- A workspace that is erased has no generation any more.
          WHEN all_generation[n] <> coalesce(settings_generation, -1) THEN 'otherSettings'
          WHEN removed_at IS NOT NULL THEN 'lineRemoved'
          -- Since it was looked at: what was composed meanwhile may have taken seconds.
          WHEN api_keys.revoked_at IS NOT NULL THEN 'outdated'
          WHEN used >= monthly_message_limit THEN 'planExhausted'
        END AS outcome,
        CASE
          WHEN workspaces.id IS NULL THEN 'workspace'
          WHEN locked.id IS NULL THEN 'line'
          WHEN all_api_key_id[n] IS NOT NULL AND api_keys.id IS NULL THEN 'key'
        END AS missing,
        all_scope[n] AS scope,
        all_opens_flow[n] IS NOT NULL OR all_closes_flows[n] IS NOT NULL AS has_flow,
        all_dispatched_at[n] IS NOT NULL AS asks_to_leave,
        per_second > 0 OR greatest(line_paces.paused_until, channel_pauses.paused_until)
          > floor(extract(epoch FROM clock_timestamp()) * 1000) AS is_paced
      FROM unnest(all_id) WITH ORDINALITY AS draft (id, n)
      LEFT JOIN locked ON locked.id = all_line_id[n]
      LEFT JOIN api_keys ON api_keys.id = all_api_key_id[n]
      LEFT JOIN workspaces ON workspaces.id = all_workspace_id[n]
      LEFT JOIN plan_usage ON plan_usage.workspace_id = all_workspace_id[n] AND plan_usage.month = all_month[n]
      LEFT JOIN line_paces ON line_paces.line_id = locked.id
      LEFT JOIN channel_pauses ON channel_pauses.channel_id = locked.channel_id
      ORDER BY n
    )
    SELECT EXISTS (SELECT FROM fence), max(missing) FILTER (WHERE outcome IS DISTINCT FROM 'otherSettings'),
        count(scope), bool_or(has_flow), bool_or(asks_to_leave AND is_paced),
        array_agg(nextval('messages_seq_seq')), array_agg(line_seq), array_agg(key_seq), array_agg(outcome),
        array_agg(monthly_message_limit), array_agg(used), array_agg(asks_to_leave)
      INTO is_alive, missing, keyed, has_flows, is_paced,
        seqs, line_seqs, key_seqs, outcomes, limits, useds, clears
      FROM judged;
    IF NOT is_alive THEN RETURN; END IF;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed; what is of
    -- other settings is told nothing.
    IF keyed > 0 THEN
      WITH got AS (
        INSERT INTO idempotency_keys AS known (message_seq, scope, key, fingerprint, expires_at)
        SELECT seqs[n], all_scope[n], all_key[n], decode(all_fingerprint[n], 'hex'), all_expires_at[n]
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_scope[n] IS NOT NULL ORDER BY all_scope[n] COLLATE "C", all_key[n] COLLATE "C"
        ON CONFLICT (scope, key) DO UPDATE
          SET message_seq = excluded.message_seq, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
          WHERE known.expires_at <= all_created_at[array_position(seqs, excluded.message_seq)]
        RETURNING message_seq
      )
      SELECT coalesce(array_agg(message_seq), '{}') INTO taken FROM got;
    END IF;
    IF keyed > cardinality(taken) THEN
      FOR each IN
        SELECT n, known.fingerprint = decode(all_fingerprint[n], 'hex') AS is_same, messages.id AS owner
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        LEFT JOIN idempotency_keys AS known
          ON known.scope = all_scope[n] AND known.key = all_key[n] AND known.expires_at > all_created_at[n]
        LEFT JOIN messages ON messages.seq = known.message_seq
        WHERE all_scope[n] IS NOT NULL AND seqs[n] <> ALL (taken) AND outcome IS DISTINCT FROM 'otherSettings'
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
      INSERT INTO plan_usage AS counted (workspace_id, month, used)
      SELECT workspace_id, month, count(*)
      FROM (
        SELECT all_workspace_id[n] AS workspace_id, all_month[n] AS month
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL) AS offer
      GROUP BY workspace_id, month ORDER BY workspace_id COLLATE "C", month COLLATE "C"
      ON CONFLICT (workspace_id, month) DO UPDATE SET used = counted.used + excluded.used
      RETURNING workspace_id, month, used,
        (SELECT monthly_message_limit FROM workspaces WHERE id = counted.workspace_id) AS most
    LOOP
      CONTINUE WHEN each.most IS NULL OR each.used <= each.most;
      SELECT array_agg(n) INTO late FROM (
        SELECT n FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_workspace_id[n] = each.workspace_id AND all_month[n] = each.month
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
      PERFORM lock_paces_1(all_line_id);
      FOR each IN
        SELECT all_line_id[n] AS line_id, array_agg(n ORDER BY n) AS places
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_dispatched_at[n] IS NOT NULL GROUP BY all_line_id[n]
      LOOP
        share := give_departures_1(each.line_id, cardinality(each.places), valid_ms);
        FOREACH at IN ARRAY each.places LOOP
          clears[at] := array_position(each.places, at) <= share.granted;
          valids[at] := share.valid_for;
          waits[at] := share.wait_ms;
        END LOOP;
      END LOOP;
    END IF;

    WITH stored AS (
      INSERT INTO messages (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, status, api_key_seq, idempotency_key, dispatched_at, instance_seq)
      SELECT
        all_id[n], all_workspace_id[n], all_contact_id[n], all_recipient[n], all_type[n], all_template_name[n], all_request_id[n], all_reference[n], all_again_of[n], all_created_at[n], all_template_language[n],
        seqs[n], line_seqs[n], 'QUEUED', key_seqs[n], all_key[n], CASE WHEN clears[n] THEN all_dispatched_at[n] END, own
      FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL
    )
    INSERT INTO message_contents (message_seq, payload)
    SELECT seqs[n], all_payload[n] FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL;

    -- docs/partner-api.md#flow-sessions: a message closes active flows before it opens its own, and only on the line that
    -- the send named. A later one also closes what an earlier one opens.
    IF has_flows THEN
      FOR each IN
        SELECT all_id[n] AS id, all_line_id[n] AS line_id, all_created_at[n] AS created_at,
          all_opens_flow[n]::json AS opens_flow, all_closes_flows[n]::json AS closes_flows
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND (all_opens_flow[n] IS NOT NULL OR all_closes_flows[n] IS NOT NULL) ORDER BY n
      LOOP
        UPDATE flow_sessions SET closed_at = each.created_at, closed_by = 'revalidated'
          WHERE contact_id = each.closes_flows ->> 'contactId' AND closed_at IS NULL
            AND line_id = coalesce(each.closes_flows ->> 'lineId', line_id);
        INSERT INTO flow_sessions (message_id, contact_id, line_id, flow_token, opened_at)
          SELECT each.id, each.opens_flow ->> 'contactId', each.line_id, each.opens_flow ->> 'flowToken', each.created_at
          WHERE each.opens_flow IS NOT NULL;
      END LOOP;
    END IF;


    RETURN QUERY
      SELECT outcomes[n], owners[n], limits[n], useds[n], clears[n], valids[n], waits[n]
      FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n);
  END
  $$;

-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted: a row
-- for each, in their order. Rows are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of
-- months, paces, messages, counters of events. No row at all: the lease of the instance is lost, and nothing was stored.
-- Most of what such a function takes is not the work on tables but to begin statements, and to carry rows of many columns
-- from one to the next. So these are few statements, and what is offered and what is decided is an array for each column:
-- a statement takes what it needs of the draft number n, where JSON would be parsed again by each of them.
-- Of its two forms, the one that tells also gives the event message.queued for each message that is accepted, where a webhook
-- that is on names it. To look for such webhooks would take a twentieth of every call, and mostly there are none.
CREATE FUNCTION accept_and_tell_messages_9(
  own bigint, valid_ms bigint,
  all_id text[], all_workspace_id text[], all_contact_id text[], all_recipient text[], all_type text[], all_template_name text[], all_request_id text[], all_reference text[], all_again_of text[], all_created_at bigint[], all_template_language text[],
  all_line_id text[], all_api_key_id text[], all_payload text[], all_dispatched_at bigint[], all_month text[],
  all_scope text[], all_key text[], all_fingerprint text[], all_expires_at bigint[],
  all_opens_flow text[], all_closes_flows text[], all_generation bigint[]
)
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
    tells boolean[];
    is_told boolean;
    missing text;
    is_alive boolean;
    keyed bigint;
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
    ), locked AS MATERIALIZED (
      SELECT id, seq, channel_id, removed_at, per_second FROM lines
      WHERE EXISTS (SELECT FROM fence) AND id = ANY (all_line_id) ORDER BY id FOR KEY SHARE
    ), judged AS (
      SELECT locked.seq AS line_seq, api_keys.seq AS key_seq, monthly_message_limit, coalesce(used, 0) AS used,
        CASE
          -- A workspace that is erased has no generation any more.
          WHEN all_generation[n] <> coalesce(settings_generation, -1) THEN 'otherSettings'
          WHEN removed_at IS NOT NULL THEN 'lineRemoved'
          -- Since it was looked at: what was composed meanwhile may have taken seconds.
          WHEN api_keys.revoked_at IS NOT NULL THEN 'outdated'
          WHEN used >= monthly_message_limit THEN 'planExhausted'
        END AS outcome,
        CASE
          WHEN workspaces.id IS NULL THEN 'workspace'
          WHEN locked.id IS NULL THEN 'line'
          WHEN all_api_key_id[n] IS NOT NULL AND api_keys.id IS NULL THEN 'key'
        END AS missing,
        all_scope[n] AS scope,
        all_opens_flow[n] IS NOT NULL OR all_closes_flows[n] IS NOT NULL AS has_flow,
        EXISTS (
          SELECT FROM webhook_endpoints
          WHERE webhook_endpoints.workspace_id = all_workspace_id[n] AND disabled_at IS NULL
            AND webhook_endpoints.removed_at IS NULL AND types LIKE '%"message.queued"%') AS is_told,
        all_dispatched_at[n] IS NOT NULL AS asks_to_leave,
        per_second > 0 OR greatest(line_paces.paused_until, channel_pauses.paused_until)
          > floor(extract(epoch FROM clock_timestamp()) * 1000) AS is_paced
      FROM unnest(all_id) WITH ORDINALITY AS draft (id, n)
      LEFT JOIN locked ON locked.id = all_line_id[n]
      LEFT JOIN api_keys ON api_keys.id = all_api_key_id[n]
      LEFT JOIN workspaces ON workspaces.id = all_workspace_id[n]
      LEFT JOIN plan_usage ON plan_usage.workspace_id = all_workspace_id[n] AND plan_usage.month = all_month[n]
      LEFT JOIN line_paces ON line_paces.line_id = locked.id
      LEFT JOIN channel_pauses ON channel_pauses.channel_id = locked.channel_id
      ORDER BY n
    )
    SELECT EXISTS (SELECT FROM fence), max(missing) FILTER (WHERE outcome IS DISTINCT FROM 'otherSettings'),
        count(scope), bool_or(has_flow), bool_or(asks_to_leave AND is_paced),
        array_agg(nextval('messages_seq_seq')), array_agg(line_seq), array_agg(key_seq), array_agg(outcome),
        array_agg(monthly_message_limit), array_agg(used), array_agg(asks_to_leave)
        , bool_or(is_told), array_agg(is_told)
      INTO is_alive, missing, keyed, has_flows, is_paced,
        seqs, line_seqs, key_seqs, outcomes, limits, useds, clears
        , is_told, tells
      FROM judged;
    IF NOT is_alive THEN RETURN; END IF;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed; what is of
    -- other settings is told nothing.
    IF keyed > 0 THEN
      WITH got AS (
        INSERT INTO idempotency_keys AS known (message_seq, scope, key, fingerprint, expires_at)
        SELECT seqs[n], all_scope[n], all_key[n], decode(all_fingerprint[n], 'hex'), all_expires_at[n]
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_scope[n] IS NOT NULL ORDER BY all_scope[n] COLLATE "C", all_key[n] COLLATE "C"
        ON CONFLICT (scope, key) DO UPDATE
          SET message_seq = excluded.message_seq, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
          WHERE known.expires_at <= all_created_at[array_position(seqs, excluded.message_seq)]
        RETURNING message_seq
      )
      SELECT coalesce(array_agg(message_seq), '{}') INTO taken FROM got;
    END IF;
    IF keyed > cardinality(taken) THEN
      FOR each IN
        SELECT n, known.fingerprint = decode(all_fingerprint[n], 'hex') AS is_same, messages.id AS owner
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        LEFT JOIN idempotency_keys AS known
          ON known.scope = all_scope[n] AND known.key = all_key[n] AND known.expires_at > all_created_at[n]
        LEFT JOIN messages ON messages.seq = known.message_seq
        WHERE all_scope[n] IS NOT NULL AND seqs[n] <> ALL (taken) AND outcome IS DISTINCT FROM 'otherSettings'
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
      INSERT INTO plan_usage AS counted (workspace_id, month, used)
      SELECT workspace_id, month, count(*)
      FROM (
        SELECT all_workspace_id[n] AS workspace_id, all_month[n] AS month
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL) AS offer
      GROUP BY workspace_id, month ORDER BY workspace_id COLLATE "C", month COLLATE "C"
      ON CONFLICT (workspace_id, month) DO UPDATE SET used = counted.used + excluded.used
      RETURNING workspace_id, month, used,
        (SELECT monthly_message_limit FROM workspaces WHERE id = counted.workspace_id) AS most
    LOOP
      CONTINUE WHEN each.most IS NULL OR each.used <= each.most;
      SELECT array_agg(n) INTO late FROM (
        SELECT n FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_workspace_id[n] = each.workspace_id AND all_month[n] = each.month
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
      PERFORM lock_paces_1(all_line_id);
      FOR each IN
        SELECT all_line_id[n] AS line_id, array_agg(n ORDER BY n) AS places
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND all_dispatched_at[n] IS NOT NULL GROUP BY all_line_id[n]
      LOOP
        share := give_departures_1(each.line_id, cardinality(each.places), valid_ms);
        FOREACH at IN ARRAY each.places LOOP
          clears[at] := array_position(each.places, at) <= share.granted;
          valids[at] := share.valid_for;
          waits[at] := share.wait_ms;
        END LOOP;
      END LOOP;
    END IF;

    WITH stored AS (
      INSERT INTO messages (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, status, api_key_seq, idempotency_key, dispatched_at, instance_seq)
      SELECT
        all_id[n], all_workspace_id[n], all_contact_id[n], all_recipient[n], all_type[n], all_template_name[n], all_request_id[n], all_reference[n], all_again_of[n], all_created_at[n], all_template_language[n],
        seqs[n], line_seqs[n], 'QUEUED', key_seqs[n], all_key[n], CASE WHEN clears[n] THEN all_dispatched_at[n] END, own
      FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL
    )
    INSERT INTO message_contents (message_seq, payload)
    SELECT seqs[n], all_payload[n] FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL;

    -- docs/partner-api.md#flow-sessions: a message closes active flows before it opens its own, and only on the line that
    -- the send named. A later one also closes what an earlier one opens.
    IF has_flows THEN
      FOR each IN
        SELECT all_id[n] AS id, all_line_id[n] AS line_id, all_created_at[n] AS created_at,
          all_opens_flow[n]::json AS opens_flow, all_closes_flows[n]::json AS closes_flows
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n)
        WHERE outcome IS NULL AND (all_opens_flow[n] IS NOT NULL OR all_closes_flows[n] IS NOT NULL) ORDER BY n
      LOOP
        UPDATE flow_sessions SET closed_at = each.created_at, closed_by = 'revalidated'
          WHERE contact_id = each.closes_flows ->> 'contactId' AND closed_at IS NULL
            AND line_id = coalesce(each.closes_flows ->> 'lineId', line_id);
        INSERT INTO flow_sessions (message_id, contact_id, line_id, flow_token, opened_at)
          SELECT each.id, each.opens_flow ->> 'contactId', each.line_id, each.opens_flow ->> 'flowToken', each.created_at
          WHERE each.opens_flow IS NOT NULL;
      END LOOP;
    END IF;

    -- Where a webhook asks for it. The counter of the workspace stays locked until the commit, and comes last.
    IF is_told THEN
      WITH told AS MATERIALIZED (
        SELECT all_workspace_id[n] AS workspace_id, all_created_at[n] AS created_at, seqs[n] AS seq
        FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n) WHERE outcome IS NULL AND tells[n]
      ), numbered AS (
        INSERT INTO event_counters AS counters (workspace_id, last)
          SELECT workspace_id, count(*) FROM told GROUP BY workspace_id ORDER BY workspace_id COLLATE "C"
          ON CONFLICT (workspace_id) DO UPDATE SET last = counters.last + excluded.last
          RETURNING workspace_id, last
      )
      INSERT INTO events (workspace_id, seq, type, at, recorded_at, message_seq, sequence, known)
        SELECT workspace_id,
          last - count(*) OVER (PARTITION BY workspace_id) + row_number() OVER (PARTITION BY workspace_id ORDER BY told.seq),
          'message.queued', created_at, created_at, told.seq, 1, 0
        FROM told JOIN numbered USING (workspace_id);
    END IF;

    RETURN QUERY
      SELECT outcomes[n], owners[n], limits[n], useds[n], clears[n], valids[n], waits[n]
      FROM unnest(outcomes) WITH ORDINALITY AS draft (outcome, n);
  END
  $$;

-- Settles messages that were handed over, and of which nothing else is known: what their event makes of such a message is
-- worked out before (src/message/move.ts). A message of which more is known is left as it is, and gives no row.
-- Answers its ids and times: what a draft brought, and what was asked for, the caller knows. What is asked for is an array for
-- each column, as in acceptMessages.sql. A message of another channel than the caller says is left as it is too.
-- Rows are locked as acceptances and callbacks lock them: keys of callers, counts of months, channels, messages by id, counts
-- of days, and last the counters of events: all messages of a workspace count in the same few rows, and other transactions
-- wait for them. A counter stays locked until the commit: so numbers are in the order of commits, and who has read up to one
-- has missed no smaller one.
CREATE FUNCTION settle_messages_10(
  channels text[], refused text[], keeps_contents boolean,
  all_accepted_at bigint[], all_gave_up_at bigint[], all_gave_up_reason text[], all_lost_at bigint[], all_channel_message_id text[], all_wa_id text[],
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
      WHERE status IS NOT DISTINCT FROM 'QUEUED' AND dispatched_at IS NOT NULL
        AND channel_message_id IS NULL AND wa_id IS NULL AND failures IS NULL AND delivered_at IS NULL AND read_at IS NULL
        AND own_id_at IS NULL AND due_at IS NULL
      ORDER BY messages.id FOR UPDATE OF messages
    ), moved AS (
      UPDATE messages SET
        accepted_at = all_accepted_at[n], gave_up_at = all_gave_up_at[n], gave_up_reason = all_gave_up_reason[n], lost_at = all_lost_at[n], channel_message_id = all_channel_message_id[n], wa_id = all_wa_id[n],
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
