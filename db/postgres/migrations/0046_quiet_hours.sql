ALTER TABLE "workspaces" ADD COLUMN "quiet_hours" text COLLATE "C";
