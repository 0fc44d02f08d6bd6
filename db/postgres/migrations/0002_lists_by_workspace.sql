DROP INDEX "messages_recipient";
DROP INDEX "messages_unsettled";
CREATE INDEX "messages_recipient" ON "messages" USING btree (right(workspace_id, 6),"recipient","created_at","seq");
CREATE INDEX "messages_unsettled" ON "messages" USING btree ("status",right(workspace_id, 6),"id") WHERE status IN ('QUEUED', 'UNKNOWN');
