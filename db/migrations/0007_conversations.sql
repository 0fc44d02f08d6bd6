ALTER TABLE contacts ADD heard_seq integer;
ALTER TABLE contacts ADD read_seq integer DEFAULT 0 NOT NULL;
-- All that was said before is read. Who was forgotten has no conversation.
UPDATE contacts SET heard_seq = (
  SELECT max(seq) FROM inbound_messages WHERE contact_id = contacts.id AND kind NOT LIKE 'smb_message_echoes%'
) WHERE phone IS NOT NULL OR user_id IS NOT NULL OR name IS NOT NULL;
UPDATE contacts SET read_seq = heard_seq WHERE heard_seq IS NOT NULL;
CREATE INDEX contacts_heard ON contacts (workspace_id,heard_seq) WHERE heard_seq IS NOT NULL;
CREATE INDEX contacts_unread ON contacts (workspace_id,heard_seq) WHERE heard_seq > read_seq;
