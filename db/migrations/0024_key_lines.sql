ALTER TABLE api_keys ADD line_ids text;
