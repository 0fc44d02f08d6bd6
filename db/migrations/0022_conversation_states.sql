ALTER TABLE contacts ADD done_seq integer DEFAULT 0 NOT NULL;
ALTER TABLE contacts ADD taken_by text;
-- What nobody has read yet is open, and what was read before is done.
UPDATE contacts SET done_seq = read_seq WHERE heard_seq IS NOT NULL;
CREATE INDEX contacts_open ON contacts (workspace_id,heard_seq) WHERE heard_seq > done_seq;
CREATE INDEX contacts_done ON contacts (workspace_id,heard_seq) WHERE heard_seq <= done_seq;
CREATE INDEX contacts_free ON contacts (workspace_id,heard_seq) WHERE heard_seq > done_seq AND taken_by IS NULL;
CREATE INDEX contacts_taken ON contacts (workspace_id,taken_by,heard_seq) WHERE taken_by IS NOT NULL;
