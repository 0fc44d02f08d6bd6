ALTER TABLE contacts ADD unread_at integer;
