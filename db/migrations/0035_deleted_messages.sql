ALTER TABLE workspaces ADD deleted_messages text DEFAULT 'keep' NOT NULL;
