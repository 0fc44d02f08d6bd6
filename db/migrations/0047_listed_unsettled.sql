DROP INDEX messages_unsettled;
ALTER TABLE messages ADD listed integer DEFAULT 1;
CREATE INDEX messages_unsettled ON messages (status,substr(workspace_id, -6),id) WHERE (status = 'SCHEDULED' OR status = 'QUEUED' OR status = 'UNKNOWN') AND listed IS NOT NULL;
