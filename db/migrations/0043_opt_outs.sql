ALTER TABLE workspaces ADD on_opt_out text DEFAULT 'send' NOT NULL;
ALTER TABLE workspaces ADD stop_words text;
ALTER TABLE workspaces ADD start_words text;
ALTER TABLE workspaces ADD opt_out_answer text;
ALTER TABLE api_keys ADD on_opt_out text;
