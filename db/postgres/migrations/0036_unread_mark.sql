ALTER TABLE "contacts" ADD COLUMN "unread_at" bigint;
