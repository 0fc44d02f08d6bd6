CREATE INDEX "inbound_messages_contact_seq" ON "inbound_messages" USING btree ("contact_id","seq");
CREATE INDEX "inbound_messages_line_seq" ON "inbound_messages" USING btree ("line_id","seq");
