ALTER TABLE lines ADD label text;
