DROP INDEX messages_workspace;
CREATE INDEX messages_workspace ON messages (workspace_id,created_at,seq,line_seq,api_key_seq,type,template_name,template_language);
