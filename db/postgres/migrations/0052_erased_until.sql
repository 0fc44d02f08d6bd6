ALTER TABLE "erasures" ADD COLUMN "until_seq" bigint;
