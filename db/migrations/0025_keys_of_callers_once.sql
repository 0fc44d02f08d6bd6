DROP INDEX idempotency_keys_key;
DROP INDEX messages_idempotency_key;
CREATE INDEX messages_idempotency_key ON messages (idempotency_key,substr(workspace_id, -6)) WHERE idempotency_key IS NOT NULL;
