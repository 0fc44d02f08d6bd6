-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted: a row
-- for each, in their order. Rows are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of
-- months, paces, messages, counters of events. No row at all: the lease of the instance is lost, and nothing was stored.
-- Most of what such a function takes is not the work on tables but to begin statements, and to carry rows of many columns
-- from one to the next. So these are few statements, with an array for each column that is decided.
-- Of its two forms, the one that tells also gives the event message.queued for each message that is accepted, where a webhook
-- that is on names it. To look for such webhooks would take a twentieth of every call, and mostly there are none.
CREATE FUNCTION accept_messages_11(own bigint, valid_ms bigint, offered json)
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
        closes_flows json, generation bigint)) WITH ORDINALITY
    ), locked AS MATERIALIZED (
      SELECT id, seq, channel_id, removed_at, per_second FROM lines
      WHERE EXISTS (SELECT FROM fence) AND id IN (SELECT line_id FROM asked) ORDER BY id FOR KEY SHARE
    ), judged AS (
      SELECT locked.seq AS line_seq, api_keys.seq AS key_seq, monthly_message_limit, coalesce(used, 0) AS used,
        CASE
          -- A workspace that is erased has no generation any more.
          WHEN asked.generation <> coalesce(settings_generation, -1) THEN 'otherSettings'
          WHEN removed_at IS NOT NULL THEN 'lineRemoved'
          -- Since it was looked at: what was composed meanwhile may have taken seconds.
          WHEN api_keys.revoked_at IS NOT NULL THEN 'outdated'
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
    SELECT EXISTS (SELECT FROM fence), max(missing) FILTER (WHERE outcome IS DISTINCT FROM 'otherSettings'),
        bool_or(has_key), bool_or(has_flow), bool_or(asks_to_leave AND is_paced),
        array_agg(nextval('messages_seq_seq')), array_agg(line_seq), array_agg(key_seq), array_agg(outcome),
        array_agg(NULL::text), array_agg(monthly_message_limit), array_agg(used), array_agg(asks_to_leave),
        array_agg(NULL::bigint), array_agg(NULL::bigint)
      INTO is_alive, missing, has_keys, has_flows, is_paced,
        seqs, line_seqs, key_seqs, outcomes, owners, limits, useds, clears, valids, waits
      FROM judged;
    IF NOT is_alive THEN RETURN; END IF;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed; what is of
    -- other settings is told nothing.
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
        WHERE offer.scope IS NOT NULL AND offer.seq <> ALL (taken) AND outcomes[n] IS DISTINCT FROM 'otherSettings'
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
        json_to_recordset(offered) AS (
          id text, workspace_id text, contact_id text, recipient text, type text, template_name text, request_id text, reference text, again_of text, created_at bigint, template_language text,
          key text, dispatched_at bigint, payload text),
        unnest(seqs), unnest(line_seqs), unnest(key_seqs), unnest(outcomes), unnest(clears)
      ) AS offer (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        key, dispatched_at, payload, seq, line_seq, key_seq, outcome, is_cleared)
      WHERE outcome IS NULL
    ), stored AS (
      INSERT INTO messages (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, status, api_key_seq, idempotency_key, dispatched_at, instance_seq)
      SELECT
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, 'QUEUED', key_seq, key, CASE WHEN is_cleared THEN dispatched_at END, own
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

-- Decides on messages that are offered at once, no two of which have the same key, and stores those that are accepted: a row
-- for each, in their order. Rows are locked in the order of all hot verbs: own instance, lines, keys of callers, counts of
-- months, paces, messages, counters of events. No row at all: the lease of the instance is lost, and nothing was stored.
-- Most of what such a function takes is not the work on tables but to begin statements, and to carry rows of many columns
-- from one to the next. So these are few statements, with an array for each column that is decided.
-- Of its two forms, the one that tells also gives the event message.queued for each message that is accepted, where a webhook
-- that is on names it. To look for such webhooks would take a twentieth of every call, and mostly there are none.
CREATE FUNCTION accept_and_tell_messages_8(own bigint, valid_ms bigint, offered json)
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
        closes_flows json, generation bigint)) WITH ORDINALITY
    ), locked AS MATERIALIZED (
      SELECT id, seq, channel_id, removed_at, per_second FROM lines
      WHERE EXISTS (SELECT FROM fence) AND id IN (SELECT line_id FROM asked) ORDER BY id FOR KEY SHARE
    ), judged AS (
      SELECT locked.seq AS line_seq, api_keys.seq AS key_seq, monthly_message_limit, coalesce(used, 0) AS used,
        CASE
          -- A workspace that is erased has no generation any more.
          WHEN asked.generation <> coalesce(settings_generation, -1) THEN 'otherSettings'
          WHEN removed_at IS NOT NULL THEN 'lineRemoved'
          -- Since it was looked at: what was composed meanwhile may have taken seconds.
          WHEN api_keys.revoked_at IS NOT NULL THEN 'outdated'
          WHEN used >= monthly_message_limit THEN 'planExhausted'
        END AS outcome,
        CASE
          WHEN workspaces.id IS NULL THEN 'workspace'
          WHEN locked.id IS NULL THEN 'line'
          WHEN api_key_id IS NOT NULL AND api_keys.id IS NULL THEN 'key'
        END AS missing,
        asked.scope IS NOT NULL AS has_key,
        opens_flow IS NOT NULL OR closes_flows IS NOT NULL AS has_flow,
        EXISTS (
          SELECT FROM webhook_endpoints
          WHERE webhook_endpoints.workspace_id = asked.workspace_id AND disabled_at IS NULL
            AND webhook_endpoints.removed_at IS NULL AND types LIKE '%"message.queued"%') AS is_told,
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
    SELECT EXISTS (SELECT FROM fence), max(missing) FILTER (WHERE outcome IS DISTINCT FROM 'otherSettings'),
        bool_or(has_key), bool_or(has_flow), bool_or(asks_to_leave AND is_paced),
        array_agg(nextval('messages_seq_seq')), array_agg(line_seq), array_agg(key_seq), array_agg(outcome),
        array_agg(NULL::text), array_agg(monthly_message_limit), array_agg(used), array_agg(asks_to_leave),
        array_agg(NULL::bigint), array_agg(NULL::bigint)
        , bool_or(is_told), array_agg(is_told)
      INTO is_alive, missing, has_keys, has_flows, is_paced,
        seqs, line_seqs, key_seqs, outcomes, owners, limits, useds, clears, valids, waits
        , is_told, tells
      FROM judged;
    IF NOT is_alive THEN RETURN; END IF;
    IF missing IS NOT NULL THEN RAISE EXCEPTION 'acceptMessage: the % does not exist', missing; END IF;

    -- The unique key decides, over all instances: it waits for a transaction that takes the same key, and then finds it
    -- taken. A key that has expired counts as absent. What is refused anyway takes none, and is still replayed; what is of
    -- other settings is told nothing.
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
        WHERE offer.scope IS NOT NULL AND offer.seq <> ALL (taken) AND outcomes[n] IS DISTINCT FROM 'otherSettings'
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
        json_to_recordset(offered) AS (
          id text, workspace_id text, contact_id text, recipient text, type text, template_name text, request_id text, reference text, again_of text, created_at bigint, template_language text,
          key text, dispatched_at bigint, payload text),
        unnest(seqs), unnest(line_seqs), unnest(key_seqs), unnest(outcomes), unnest(clears)
      ) AS offer (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        key, dispatched_at, payload, seq, line_seq, key_seq, outcome, is_cleared)
      WHERE outcome IS NULL
    ), stored AS (
      INSERT INTO messages (
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, status, api_key_seq, idempotency_key, dispatched_at, instance_seq)
      SELECT
        id, workspace_id, contact_id, recipient, type, template_name, request_id, reference, again_of, created_at, template_language,
        seq, line_seq, 'QUEUED', key_seq, key, CASE WHEN is_cleared THEN dispatched_at END, own
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

    -- Where a webhook asks for it. The counter of the workspace stays locked until the commit, and comes last.
    IF is_told THEN
      WITH told AS MATERIALIZED (
        SELECT * FROM ROWS FROM (
          json_to_recordset(offered) AS (workspace_id text, created_at bigint), unnest(seqs), unnest(outcomes), unnest(tells)
        ) AS offer (workspace_id, created_at, seq, outcome, is_told)
        WHERE outcome IS NULL AND is_told
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

    RETURN QUERY SELECT * FROM unnest(outcomes, owners, limits, useds, clears, valids, waits);
  END
  $$;
