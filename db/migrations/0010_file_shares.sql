DROP INDEX inbound_files_due;
CREATE INDEX inbound_files_turns ON inbound_files (workspace_id,due_at) WHERE due_at IS NOT NULL;
CREATE INDEX inbound_files_kept ON inbound_files (workspace_id,recorded_at) WHERE state = 'stored';
