CREATE TABLE "price_rates" (
  "workspace_id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "rates" text COLLATE "C" NOT NULL,
  "set_at" bigint NOT NULL
);
ALTER TABLE "price_rates" ADD CONSTRAINT "price_rates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE no action ON UPDATE no action;
