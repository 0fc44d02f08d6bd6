ALTER TABLE api_keys ADD scopes text;
