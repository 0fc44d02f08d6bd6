CREATE TABLE "batches" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "workspace_id" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C",
  "state" text COLLATE "C" NOT NULL,
  "reason" text COLLATE "C",
  "key_id" text COLLATE "C",
  "scope" text COLLATE "C" NOT NULL,
  "idempotency_key" text COLLATE "C",
  "fingerprint" text COLLATE "C",
  "defaults" text COLLATE "C" NOT NULL,
  "duplicates" text COLLATE "C" NOT NULL,
  "total" bigint NOT NULL,
  "created_at" bigint NOT NULL,
  "send_at" bigint,
  "started_at" bigint,
  "ended_at" bigint,
  "keeps_content" boolean NOT NULL
);
CREATE TABLE "batch_items" (
  "batch_id" text COLLATE "C" NOT NULL,
  "number" bigint NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "message_id" text COLLATE "C",
  "attempt" bigint NOT NULL,
  "recipient" text COLLATE "C" NOT NULL,
  "reference" text COLLATE "C",
  "body" text COLLATE "C",
  "reason" text COLLATE "C",
  CONSTRAINT "batch_items_batch_id_number_pk" PRIMARY KEY("batch_id","number")
);
ALTER TABLE "batches" ADD CONSTRAINT "batches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "batches_workspace" ON "batches" USING btree ("workspace_id","id");
CREATE UNIQUE INDEX "batches_key" ON "batches" USING btree ("scope","idempotency_key");
CREATE INDEX "batches_ended" ON "batches" USING btree ("ended_at") WHERE ended_at IS NOT NULL;
CREATE INDEX "batches_contents" ON "batches" USING btree ("ended_at") WHERE keeps_content;
CREATE INDEX "batches_open" ON "batches" USING btree ("state","send_at") WHERE state IN ('scheduled', 'running');
CREATE INDEX "batch_items_state" ON "batch_items" USING btree ("batch_id","state","number");
CREATE INDEX "batch_items_recipient" ON "batch_items" USING btree ("recipient","batch_id");
