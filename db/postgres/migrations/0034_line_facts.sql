ALTER TABLE "lines" ADD COLUMN "quality" text COLLATE "C";
ALTER TABLE "lines" ADD COLUMN "messaging_limit" text COLLATE "C";
