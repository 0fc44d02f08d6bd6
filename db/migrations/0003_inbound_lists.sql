CREATE INDEX inbound_messages_contact_seq ON inbound_messages (contact_id,seq);
CREATE INDEX inbound_messages_line_seq ON inbound_messages (line_id,seq);
