ALTER TABLE messages ADD pricing integer;
ALTER TABLE parked_reports ADD pricing integer;
