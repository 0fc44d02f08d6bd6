ALTER TABLE workspaces ADD quiet_hours text;
