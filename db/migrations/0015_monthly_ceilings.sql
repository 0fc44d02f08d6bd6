ALTER TABLE workspaces ADD monthly_ceiling integer;
-- A limit that no owner has set was the operator's.
UPDATE workspaces SET monthly_ceiling = monthly_message_limit
WHERE coalesce(
  (SELECT actor FROM audit_entries WHERE subject = workspaces.id AND action = 'workspace.set-limit' ORDER BY id DESC LIMIT 1),
  ''
) NOT LIKE 'console:%';
