CREATE TABLE api_keys (
  seq integer PRIMARY KEY NOT NULL,
  id text NOT NULL,
  workspace_id text NOT NULL,
  secret_hash text NOT NULL,
  scope text NOT NULL,
  label text,
  created_at integer NOT NULL,
  expires_at integer,
  revoked_at integer,
  allowed_networks text,
  last_used_at integer,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX api_keys_id ON api_keys (id);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id);
CREATE TABLE plan_usage (
  workspace_id text NOT NULL,
  month text NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY(workspace_id, month),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
CREATE TABLE properties (
  name text PRIMARY KEY NOT NULL,
  value text NOT NULL
) STRICT;
CREATE TABLE workspaces (
  id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  monthly_message_limit integer,
  created_at integer NOT NULL
) STRICT;
CREATE TABLE audit_entries (
  id integer PRIMARY KEY NOT NULL,
  at integer NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  workspace_id text
) STRICT;
CREATE INDEX audit_entries_subject ON audit_entries (subject,id);
CREATE INDEX audit_entries_workspace ON audit_entries (workspace_id,id);
CREATE TABLE callback_receipts (
  channel_id text PRIMARY KEY NOT NULL,
  accepted_at integer,
  refused_at integer,
  refusal text
) STRICT;
CREATE TABLE channels (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  account_id text NOT NULL,
  app_id text,
  sealed_access_token text NOT NULL,
  sealed_app_secret text NOT NULL,
  sealed_verify_token text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  removed_at integer,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX channels_account ON channels (workspace_id,account_id) WHERE removed_at IS NULL;
CREATE TABLE lines (
  seq integer PRIMARY KEY NOT NULL,
  id text NOT NULL,
  workspace_id text NOT NULL,
  channel_id text NOT NULL,
  upstream_phone_id text NOT NULL,
  number text NOT NULL,
  active integer NOT NULL,
  is_default integer DEFAULT false NOT NULL,
  per_second integer NOT NULL,
  pair_seconds integer NOT NULL,
  created_at integer NOT NULL,
  removed_at integer,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action,
  FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX lines_id ON lines (id);
CREATE UNIQUE INDEX lines_upstream_phone ON lines (channel_id,upstream_phone_id) WHERE removed_at IS NULL;
CREATE INDEX lines_workspace ON lines (workspace_id);
CREATE UNIQUE INDEX lines_default ON lines (workspace_id) WHERE is_default;
CREATE TABLE media_uploads (
  line_id text NOT NULL,
  link text NOT NULL,
  format text NOT NULL,
  media_id text NOT NULL,
  expires_at integer NOT NULL,
  PRIMARY KEY(line_id, link, format)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_uploads_expiry ON media_uploads (expires_at);
CREATE TABLE templates (
  id text PRIMARY KEY NOT NULL,
  channel_id text NOT NULL,
  upstream_id text NOT NULL,
  name text NOT NULL,
  language text NOT NULL,
  category text NOT NULL,
  status text NOT NULL,
  parameter_format text NOT NULL,
  components text NOT NULL,
  rejected_reason text,
  updated_at integer NOT NULL,
  last_update_at integer,
  FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX templates_name ON templates (channel_id,name,language);
CREATE TABLE upstream_updates (
  subject text NOT NULL,
  kind text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY(subject, kind)
) STRICT;
CREATE TABLE contacts (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  phone text,
  user_id text,
  name text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  merged_into text,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX contacts_merged ON contacts (merged_into) WHERE merged_into IS NOT NULL;
CREATE UNIQUE INDEX contacts_phone ON contacts (workspace_id,phone);
CREATE UNIQUE INDEX contacts_user ON contacts (workspace_id,user_id);
CREATE TABLE flow_sessions (
  message_id text PRIMARY KEY NOT NULL,
  contact_id text NOT NULL,
  line_id text NOT NULL,
  flow_token text,
  opened_at integer NOT NULL,
  closed_at integer,
  closed_by text
) STRICT;
CREATE INDEX flow_sessions_active ON flow_sessions (contact_id,line_id) WHERE closed_at IS NULL;
CREATE TABLE inbound_messages (
  channel_id text NOT NULL,
  channel_message_id text NOT NULL,
  contact_id text,
  line_id text,
  kind text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  phone text,
  former_phone text,
  content text NOT NULL,
  PRIMARY KEY(channel_id, channel_message_id)
) STRICT;
CREATE INDEX inbound_messages_contact ON inbound_messages (contact_id,at);
CREATE INDEX inbound_messages_age ON inbound_messages (recorded_at);
CREATE INDEX inbound_messages_former_phone ON inbound_messages (former_phone,at) WHERE former_phone IS NOT NULL;
CREATE INDEX inbound_messages_content ON inbound_messages (recorded_at) WHERE content <> '{}';
CREATE TABLE daily_counts (
  workspace_id text NOT NULL,
  day text NOT NULL,
  kind text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY(workspace_id, day, kind)
) STRICT;
CREATE TABLE idempotency_keys (
  message_seq integer PRIMARY KEY NOT NULL,
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint blob NOT NULL,
  expires_at integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX idempotency_keys_key ON idempotency_keys (scope,key);
CREATE TABLE message_contents (
  message_seq integer PRIMARY KEY NOT NULL,
  payload text NOT NULL
) STRICT;
CREATE TABLE message_events (
  message_seq integer NOT NULL,
  kind text NOT NULL,
  at integer NOT NULL,
  detail text NOT NULL,
  recorded_at integer NOT NULL,
  PRIMARY KEY(message_seq, kind, at, detail)
) STRICT, WITHOUT ROWID;
CREATE TABLE messages (
  seq integer PRIMARY KEY NOT NULL,
  id text NOT NULL,
  workspace_id text NOT NULL,
  line_seq integer NOT NULL,
  contact_id text,
  recipient text NOT NULL,
  type text NOT NULL,
  template_name text,
  status text NOT NULL,
  api_key_seq integer,
  idempotency_key text,
  request_id text,
  created_at integer NOT NULL,
  dispatched_at integer,
  accepted_at integer,
  reported_sent_at integer,
  delivered_at integer,
  read_at integer,
  failures text,
  gave_up_at integer,
  gave_up_reason text,
  lost_at integer,
  channel_message_id text,
  wa_id text
) STRICT;
CREATE UNIQUE INDEX messages_id ON messages (id);
CREATE INDEX messages_workspace ON messages (workspace_id,created_at);
CREATE INDEX messages_recipient ON messages (recipient,created_at);
CREATE INDEX messages_failed ON messages (workspace_id,created_at) WHERE status = 'FAILED';
CREATE INDEX messages_channel_message ON messages (substr(channel_message_id, -16)) WHERE channel_message_id IS NOT NULL;
CREATE INDEX messages_idempotency_key ON messages (substr(idempotency_key, -16)) WHERE idempotency_key IS NOT NULL;
CREATE INDEX messages_unsettled ON messages (status,id) WHERE status IN ('QUEUED', 'UNKNOWN');
CREATE TABLE parked_reports (
  channel_id text NOT NULL,
  channel_message_id text NOT NULL,
  status text NOT NULL,
  at integer NOT NULL,
  detail text NOT NULL,
  recorded_at integer NOT NULL,
  reason text,
  PRIMARY KEY(channel_id, channel_message_id, status, at, detail)
) STRICT, WITHOUT ROWID;
CREATE INDEX parked_reports_age ON parked_reports (recorded_at);
CREATE TABLE rate_windows (
  subject text PRIMARY KEY NOT NULL,
  starts_at integer NOT NULL,
  count integer NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
  id text PRIMARY KEY NOT NULL,
  workspace_id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash text NOT NULL,
  invited_by text NOT NULL,
  created_at integer NOT NULL,
  expires_at integer NOT NULL,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX invitations_token ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_email ON invitations (workspace_id,email);
CREATE TABLE memberships (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  since integer NOT NULL,
  PRIMARY KEY(workspace_id, user_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE no action ON DELETE no action,
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX memberships_user ON memberships (user_id);
CREATE TABLE recovery_codes (
  user_id text NOT NULL,
  code_hash text NOT NULL,
  PRIMARY KEY(user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE sessions (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL,
  family_hash text NOT NULL,
  token_hash text NOT NULL,
  former_token_hash text,
  created_at integer NOT NULL,
  refreshed_at integer NOT NULL,
  expires_at integer NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX sessions_family ON sessions (family_hash);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE TABLE users (
  id text PRIMARY KEY NOT NULL,
  email text NOT NULL,
  name text,
  password_hash text NOT NULL,
  sealed_totp_secret text,
  totp_since integer,
  totp_step integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_email ON users (email);
