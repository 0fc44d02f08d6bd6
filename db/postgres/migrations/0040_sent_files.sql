CREATE INDEX "media_uploads_media" ON "media_uploads" USING btree ("media_id");
