CREATE TABLE inbound_files (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  channel_id text NOT NULL,
  upstream_id text NOT NULL,
  sha256 text,
  mime_type text,
  file_name text,
  recorded_at integer NOT NULL,
  state text NOT NULL,
  due_at integer,
  attempts integer NOT NULL,
  mismatches integer NOT NULL,
  bytes integer
) STRICT;
CREATE INDEX inbound_files_due ON inbound_files (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX inbound_files_stored ON inbound_files (recorded_at) WHERE state = 'stored';
CREATE INDEX inbound_files_age ON inbound_files (recorded_at);
CREATE INDEX inbound_files_channel ON inbound_files (channel_id) WHERE state = 'stored';
CREATE INDEX inbound_files_workspace ON inbound_files (workspace_id);
ALTER TABLE inbound_messages ADD file_id text;
