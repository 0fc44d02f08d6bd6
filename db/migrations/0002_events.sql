CREATE TABLE event_counters (
  workspace_id text PRIMARY KEY NOT NULL,
  last integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  workspace_id text NOT NULL,
  seq integer NOT NULL,
  type text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  message_seq integer,
  sequence integer,
  known integer,
  subject text,
  data text,
  PRIMARY KEY(workspace_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_subject ON events (subject) WHERE subject IS NOT NULL;
ALTER TABLE inbound_messages ADD workspace_id text;
ALTER TABLE inbound_messages ADD seq integer;
CREATE UNIQUE INDEX inbound_messages_seq ON inbound_messages (workspace_id,seq);
ALTER TABLE messages ADD sequence integer DEFAULT 1 NOT NULL;
-- What users sent is numbered as it came. A message without a contact and a line is on a line of another workspace.
UPDATE inbound_messages SET workspace_id = numbered.workspace_id, seq = numbered.seq
  FROM (
    SELECT inbound_messages.rowid AS row, channels.workspace_id,
      row_number() OVER (PARTITION BY channels.workspace_id ORDER BY recorded_at, inbound_messages.rowid) AS seq
    FROM inbound_messages JOIN channels ON channels.id = channel_id
    WHERE contact_id IS NOT NULL OR line_id IS NOT NULL
  ) AS numbered
  WHERE inbound_messages.rowid = numbered.row;
INSERT INTO event_counters (workspace_id, last)
  SELECT workspace_id, max(seq) FROM inbound_messages WHERE workspace_id IS NOT NULL GROUP BY workspace_id;
