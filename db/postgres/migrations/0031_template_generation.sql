ALTER TABLE "channels" ADD COLUMN "template_generation" bigint DEFAULT 0 NOT NULL;
CREATE INDEX "templates_upstream" ON "templates" USING btree ("channel_id","upstream_id");
