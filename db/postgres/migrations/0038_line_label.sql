ALTER TABLE "lines" ADD COLUMN "label" text COLLATE "C";
