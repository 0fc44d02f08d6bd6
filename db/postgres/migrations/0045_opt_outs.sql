ALTER TABLE "workspaces" ADD COLUMN "on_opt_out" text COLLATE "C" DEFAULT 'send' NOT NULL;
ALTER TABLE "workspaces" ADD COLUMN "stop_words" text COLLATE "C";
ALTER TABLE "workspaces" ADD COLUMN "start_words" text COLLATE "C";
ALTER TABLE "workspaces" ADD COLUMN "opt_out_answer" text COLLATE "C";
ALTER TABLE "api_keys" ADD COLUMN "on_opt_out" text COLLATE "C";
