DROP INDEX messages_recipient;
DROP INDEX messages_unsettled;
CREATE INDEX messages_recipient ON messages (substr(workspace_id, -6),recipient,created_at);
CREATE INDEX messages_unsettled ON messages (status,substr(workspace_id, -6),id) WHERE status IN ('QUEUED', 'UNKNOWN');
CREATE INDEX contacts_workspace ON contacts (workspace_id,id);
