ALTER TABLE lines ADD name text;
