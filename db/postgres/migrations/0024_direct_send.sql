ALTER TABLE "lines" ADD COLUMN "direct_send" boolean DEFAULT false NOT NULL;
