ALTER TABLE "api_keys" ADD COLUMN "scopes" text COLLATE "C";
