CREATE TABLE batches (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  name text,
  state text NOT NULL,
  reason text,
  key_id text,
  scope text NOT NULL,
  idempotency_key text,
  fingerprint text,
  defaults text NOT NULL,
  duplicates text NOT NULL,
  total integer NOT NULL,
  created_at integer NOT NULL,
  send_at integer,
  started_at integer,
  ended_at integer,
  keeps_content integer NOT NULL,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX batches_workspace ON batches (workspace_id,id);
CREATE UNIQUE INDEX batches_key ON batches (scope,idempotency_key);
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX batches_contents ON batches (ended_at) WHERE keeps_content;
CREATE INDEX batches_open ON batches (state,send_at) WHERE state IN ('scheduled', 'running');
CREATE TABLE batch_items (
  batch_id text NOT NULL,
  number integer NOT NULL,
  state text NOT NULL,
  message_id text,
  attempt integer NOT NULL,
  recipient text NOT NULL,
  reference text,
  body text,
  reason text,
  PRIMARY KEY(batch_id, number)
) STRICT;
CREATE INDEX batch_items_state ON batch_items (batch_id,state,number);
CREATE INDEX batch_items_recipient ON batch_items (recipient,batch_id);
