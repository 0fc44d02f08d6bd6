DROP INDEX messages_unsettled;
ALTER TABLE messages ADD due_at integer;
ALTER TABLE messages ADD released_at integer;
ALTER TABLE messages ADD cancelled_at integer;
CREATE INDEX messages_due ON messages (line_seq,due_at) WHERE status = 'SCHEDULED';
CREATE INDEX messages_unsettled ON messages (status,substr(workspace_id, -6),id) WHERE status IN ('SCHEDULED', 'QUEUED', 'UNKNOWN');
