ALTER TABLE "webhook_endpoints" ADD COLUMN "format" text COLLATE "C" DEFAULT 'events' NOT NULL;
