ALTER TABLE "instances" ADD COLUMN "delivers" boolean DEFAULT true NOT NULL;
