ALTER TABLE workspaces ADD settings_generation integer DEFAULT 0 NOT NULL;
-- Rows of these tables go only with their workspace. A channel without lines, and a key that is new, decide on nothing that
-- is kept.
CREATE TRIGGER settings_workspaces_update AFTER UPDATE OF monthly_message_limit, on_opt_out, quiet_hours ON workspaces BEGIN
  UPDATE workspaces SET settings_generation = settings_generation + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER settings_lines_insert AFTER INSERT ON lines BEGIN
  UPDATE workspaces SET settings_generation = settings_generation + 1 WHERE id = NEW.workspace_id;
END;
CREATE TRIGGER settings_lines_update AFTER UPDATE ON lines BEGIN
  UPDATE workspaces SET settings_generation = settings_generation + 1 WHERE id = NEW.workspace_id;
END;
CREATE TRIGGER settings_channels_update
AFTER UPDATE OF account_id, app_id, sealed_access_token, sealed_app_secret, sealed_verify_token, removed_at ON channels BEGIN
  UPDATE workspaces SET settings_generation = settings_generation + 1 WHERE id = NEW.workspace_id;
END;
CREATE TRIGGER settings_api_keys_update
AFTER UPDATE OF secret_hash, scope, expires_at, revoked_at, allowed_networks, scopes, line_ids, on_opt_out ON api_keys BEGIN
  UPDATE workspaces SET settings_generation = settings_generation + 1 WHERE id = NEW.workspace_id;
END;
