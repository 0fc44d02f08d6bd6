ALTER TABLE lines ADD direct_send integer DEFAULT false NOT NULL;
