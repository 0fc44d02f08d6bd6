CREATE TABLE "former_user_ids" (
  "workspace_id" text COLLATE "C" NOT NULL,
  "user_id" text COLLATE "C" NOT NULL,
  "current_user_id" text COLLATE "C" NOT NULL,
  "at" bigint NOT NULL,
  "recorded_at" bigint NOT NULL,
  CONSTRAINT "former_user_ids_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);
CREATE INDEX "former_user_ids_current" ON "former_user_ids" USING btree ("workspace_id","current_user_id");
CREATE INDEX "former_user_ids_age" ON "former_user_ids" USING btree ("recorded_at");
