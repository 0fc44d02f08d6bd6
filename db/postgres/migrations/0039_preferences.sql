ALTER TABLE "users" ADD COLUMN "preferences" text COLLATE "C";
