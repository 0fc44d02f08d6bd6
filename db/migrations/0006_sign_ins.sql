ALTER TABLE sessions ADD device text;
ALTER TABLE sessions ADD network text;
