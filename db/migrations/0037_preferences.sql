ALTER TABLE users ADD preferences text;
