ALTER TABLE messages ADD template_language text;
