ALTER TABLE "workspaces" ADD COLUMN "deleted_messages" text COLLATE "C" DEFAULT 'keep' NOT NULL;
