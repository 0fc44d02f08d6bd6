ALTER TABLE messages ADD reference text;
CREATE INDEX messages_reference ON messages (substr(workspace_id, -6),reference,created_at) WHERE reference IS NOT NULL;
