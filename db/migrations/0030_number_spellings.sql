CREATE TABLE number_spellings (
  workspace_id text NOT NULL,
  number text NOT NULL,
  current_number text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  PRIMARY KEY(workspace_id, number)
) STRICT;
CREATE INDEX number_spellings_current ON number_spellings (workspace_id,current_number);
CREATE INDEX number_spellings_age ON number_spellings (recorded_at);
ALTER TABLE contacts ADD phone_told_at integer;
