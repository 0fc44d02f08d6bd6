ALTER TABLE messages ADD own_id_at integer;
