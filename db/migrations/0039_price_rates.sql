CREATE TABLE price_rates (
  workspace_id text PRIMARY KEY NOT NULL,
  rates text NOT NULL,
  set_at integer NOT NULL,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
