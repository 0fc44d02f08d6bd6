ALTER TABLE parked_reports ADD token text;
ALTER TABLE parked_reports ADD line_id text;
ALTER TABLE parked_reports ADD phone text;
ALTER TABLE parked_reports ADD user_id text;
CREATE INDEX parked_reports_token ON parked_reports (channel_id,token) WHERE token IS NOT NULL;
CREATE INDEX inbound_messages_token ON inbound_messages (substr(channel_message_id, -16));
CREATE INDEX inbound_messages_changes ON inbound_messages (contact_id,at) WHERE kind IN ('edit', 'revoke', 'group edit', 'group revoke', 'smb_message_echoes edit', 'smb_message_echoes revoke');
