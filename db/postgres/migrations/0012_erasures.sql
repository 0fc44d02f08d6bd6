CREATE TABLE "erasures" (
  "subject" text COLLATE "C" PRIMARY KEY NOT NULL,
  "workspace_id" text COLLATE "C" NOT NULL,
  "addresses" text COLLATE "C" NOT NULL,
  "contact_ids" text COLLATE "C" NOT NULL,
  "begun_at" bigint NOT NULL,
  "stepped_at" bigint NOT NULL,
  "part" text COLLATE "C" NOT NULL,
  "after_at" bigint NOT NULL,
  "after_seq" bigint NOT NULL,
  "messages" bigint NOT NULL,
  "inbound" bigint NOT NULL
);
CREATE INDEX "erasures_workspace" ON "erasures" USING btree ("workspace_id");
