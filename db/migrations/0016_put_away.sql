CREATE TABLE put_away_findings (
  workspace_id text NOT NULL,
  finding text NOT NULL,
  by_name text NOT NULL,
  at integer NOT NULL,
  PRIMARY KEY(workspace_id, finding),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
ALTER TABLE audit_entries ADD changes text;
