CREATE TABLE "api_requests" (
  "workspace_id" text COLLATE "C" NOT NULL,
  "outcome" text COLLATE "C" NOT NULL,
  "seq" bigint NOT NULL,
  "count" bigint NOT NULL,
  "at" bigint NOT NULL,
  "calls" text COLLATE "C" NOT NULL,
  CONSTRAINT "api_requests_workspace_id_outcome_seq_pk" PRIMARY KEY("workspace_id","outcome","seq")
);
