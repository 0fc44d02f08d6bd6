DROP INDEX flow_sessions_active;
CREATE INDEX flow_sessions_contact ON flow_sessions (contact_id,opened_at);
