ALTER TABLE contacts ADD username text;
