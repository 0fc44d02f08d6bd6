CREATE TABLE "inbound_files" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "workspace_id" text COLLATE "C" NOT NULL,
  "channel_id" text COLLATE "C" NOT NULL,
  "upstream_id" text COLLATE "C" NOT NULL,
  "sha256" text COLLATE "C",
  "mime_type" text COLLATE "C",
  "file_name" text COLLATE "C",
  "recorded_at" bigint NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "due_at" bigint,
  "attempts" bigint NOT NULL,
  "mismatches" bigint NOT NULL,
  "bytes" bigint
);
ALTER TABLE "inbound_messages" ADD COLUMN "file_id" text COLLATE "C";
CREATE INDEX "inbound_files_due" ON "inbound_files" USING btree ("due_at") WHERE due_at IS NOT NULL;
CREATE INDEX "inbound_files_stored" ON "inbound_files" USING btree ("recorded_at") WHERE state = 'stored';
CREATE INDEX "inbound_files_age" ON "inbound_files" USING btree ("recorded_at");
CREATE INDEX "inbound_files_channel" ON "inbound_files" USING btree ("channel_id") WHERE state = 'stored';
CREATE INDEX "inbound_files_workspace" ON "inbound_files" USING btree ("workspace_id");
