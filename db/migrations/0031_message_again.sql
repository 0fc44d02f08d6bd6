ALTER TABLE messages ADD again_of text;
CREATE INDEX messages_again ON messages (again_of) WHERE again_of IS NOT NULL;
