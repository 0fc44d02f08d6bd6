ALTER TABLE "contacts" ADD COLUMN "blocked_on" text COLLATE "C" DEFAULT '[]' NOT NULL;
CREATE INDEX "contacts_blocked" ON "contacts" USING btree ("workspace_id") WHERE blocked_on <> '[]';
