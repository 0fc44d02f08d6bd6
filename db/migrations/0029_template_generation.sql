ALTER TABLE channels ADD template_generation integer DEFAULT 0 NOT NULL;
CREATE INDEX templates_upstream ON templates (channel_id,upstream_id);
