CREATE TABLE former_user_ids (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  current_user_id text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  PRIMARY KEY(workspace_id, user_id)
) STRICT;
CREATE INDEX former_user_ids_current ON former_user_ids (workspace_id,current_user_id);
CREATE INDEX former_user_ids_age ON former_user_ids (recorded_at);
