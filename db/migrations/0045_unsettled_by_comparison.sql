DROP INDEX messages_unsettled;
CREATE INDEX messages_unsettled ON messages (status,substr(workspace_id, -6),id) WHERE (status = 'SCHEDULED' OR status = 'QUEUED' OR status = 'UNKNOWN');
