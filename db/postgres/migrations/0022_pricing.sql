ALTER TABLE "messages" ADD COLUMN "pricing" smallint;
ALTER TABLE "parked_reports" ADD COLUMN "pricing" smallint;
