ALTER TABLE lines ADD quality text;
ALTER TABLE lines ADD messaging_limit text;
