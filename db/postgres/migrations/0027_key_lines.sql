ALTER TABLE "api_keys" ADD COLUMN "line_ids" text COLLATE "C";
