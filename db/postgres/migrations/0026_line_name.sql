ALTER TABLE "lines" ADD COLUMN "name" text COLLATE "C";
