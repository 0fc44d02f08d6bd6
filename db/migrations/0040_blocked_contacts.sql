ALTER TABLE contacts ADD blocked_on text DEFAULT '[]' NOT NULL;
CREATE INDEX contacts_blocked ON contacts (workspace_id) WHERE blocked_on <> '[]';
