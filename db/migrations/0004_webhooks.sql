CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  url text NOT NULL,
  description text,
  types text,
  line_ids text,
  sealed_secrets text,
  sealed_headers text,
  disabled_at integer,
  disabled_reason text,
  failing_since integer,
  delivered_at integer,
  failed_at integer,
  position integer NOT NULL,
  created_at integer NOT NULL,
  removed_at integer,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX webhook_endpoints_workspace ON webhook_endpoints (workspace_id);
CREATE TABLE webhook_deliveries (
  endpoint_id text NOT NULL,
  seq integer NOT NULL,
  type text NOT NULL,
  message_seq integer,
  state text NOT NULL,
  attempt_count integer NOT NULL,
  attempts text NOT NULL,
  step integer NOT NULL,
  next_at integer,
  PRIMARY KEY(endpoint_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id,next_at,seq) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id,state,seq) WHERE state <> 'delivered';
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_seq) WHERE message_seq IS NOT NULL;
