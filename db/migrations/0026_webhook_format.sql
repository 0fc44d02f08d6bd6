ALTER TABLE webhook_endpoints ADD format text DEFAULT 'events' NOT NULL;
