CREATE TABLE erasures (
  subject text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  addresses text NOT NULL,
  contact_ids text NOT NULL,
  begun_at integer NOT NULL,
  stepped_at integer NOT NULL,
  part text NOT NULL,
  after_at integer NOT NULL,
  after_seq integer NOT NULL,
  messages integer NOT NULL,
  inbound integer NOT NULL
) STRICT;
CREATE INDEX erasures_workspace ON erasures (workspace_id);
