CREATE INDEX media_uploads_media ON media_uploads (media_id);
