ALTER TABLE erasures ADD until_seq integer;
