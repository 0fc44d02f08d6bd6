ALTER TABLE "contacts" ADD COLUMN "username" text COLLATE "C";
