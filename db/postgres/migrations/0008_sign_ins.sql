ALTER TABLE "sessions" ADD COLUMN "device" text COLLATE "C";
ALTER TABLE "sessions" ADD COLUMN "network" text COLLATE "C";
