CREATE TABLE "number_spellings" (
  "workspace_id" text COLLATE "C" NOT NULL,
  "number" text COLLATE "C" NOT NULL,
  "current_number" text COLLATE "C" NOT NULL,
  "at" bigint NOT NULL,
  "recorded_at" bigint NOT NULL,
  CONSTRAINT "number_spellings_workspace_id_number_pk" PRIMARY KEY("workspace_id","number")
);
ALTER TABLE "contacts" ADD COLUMN "phone_told_at" bigint;
CREATE INDEX "number_spellings_current" ON "number_spellings" USING btree ("workspace_id","current_number");
CREATE INDEX "number_spellings_age" ON "number_spellings" USING btree ("recorded_at");
