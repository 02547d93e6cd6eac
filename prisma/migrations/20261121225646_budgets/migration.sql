-- CreateTable
CREATE TABLE "Spending" (
    "period" TEXT NOT NULL,
    "start" DATE NOT NULL,
    "writes" BIGINT NOT NULL DEFAULT 0,
    "reads" BIGINT NOT NULL DEFAULT 0,
    "deletes" BIGINT NOT NULL DEFAULT 0,
    "bytesIn" BIGINT NOT NULL DEFAULT 0,
    "bytesOut" BIGINT NOT NULL DEFAULT 0,
    "nanos" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "Spending_pkey" PRIMARY KEY ("period","start")
);

-- CreateTable
CREATE TABLE "Budget" (
    "period" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "limit" BIGINT NOT NULL,
    "note" TEXT,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedBy" TEXT NOT NULL,

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("period","unit")
);

-- CreateTable
CREATE TABLE "SpendingTerms" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "prices" JSONB,
    "freeTier" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "SpendingTerms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BudgetEvent" (
    "period" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "start" DATE NOT NULL,
    "limit" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "used" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "BudgetEvent_pkey" PRIMARY KEY ("period","unit","start","limit","state")
);

-- CreateTable
CREATE TABLE "SiteStorage" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "bytes" BIGINT NOT NULL,
    "objects" BIGINT NOT NULL,

    CONSTRAINT "SiteStorage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UsageDay" (
    "day" DATE NOT NULL,
    "procedure" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "writes" BIGINT NOT NULL DEFAULT 0,
    "reads" BIGINT NOT NULL DEFAULT 0,
    "deletes" BIGINT NOT NULL DEFAULT 0,
    "bytesIn" BIGINT NOT NULL DEFAULT 0,
    "bytesOut" BIGINT NOT NULL DEFAULT 0,
    "nanos" BIGINT NOT NULL DEFAULT 0,
    "calls" BIGINT NOT NULL DEFAULT 0,
    "sent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "UsageDay_pkey" PRIMARY KEY ("day","procedure","subject")
);

-- CreateTable
CREATE TABLE "ObjectUsageDay" (
    "day" DATE NOT NULL,
    "sha256" TEXT NOT NULL,
    "reads" BIGINT NOT NULL DEFAULT 0,
    "bytesOut" BIGINT NOT NULL DEFAULT 0,
    "nanos" BIGINT NOT NULL DEFAULT 0,
    "sent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ObjectUsageDay_pkey" PRIMARY KEY ("day","sha256")
);

-- CreateIndex
CREATE INDEX "UsageDay_subject_day_idx" ON "UsageDay"("subject", "day");

-- What a row of StoredObject takes: the original and the variants that it speaks of.
CREATE FUNCTION "bytes_of_object"("object" "StoredObject") RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT "object"."size" + COALESCE((
        SELECT SUM(("variant" ->> 'size')::bigint) FROM jsonb_array_elements("object"."variants") AS "variant"
    ), 0)
$$;

-- Counts at the end of the transaction, behind all other locks, so that nobody waits for a row while holding this one.
CREATE FUNCTION "count_stored_bytes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    "more" BIGINT := 0;
    "objects_more" BIGINT := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        "more" := - "bytes_of_object"(OLD);
        "objects_more" := -1;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        "more" := "more" + "bytes_of_object"(NEW);
        "objects_more" := "objects_more" + 1;
    END IF;
    IF "more" <> 0 OR "objects_more" <> 0 THEN
        UPDATE "SiteStorage" SET "bytes" = "bytes" + "more", "objects" = "objects" + "objects_more" WHERE "id" = 1;
    END IF;
    RETURN NULL;
END
$$;

LOCK TABLE "StoredObject" IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO "SiteStorage" ("id", "bytes", "objects")
SELECT 1, COALESCE(SUM("bytes_of_object"("object")), 0), COUNT(*) FROM "StoredObject" AS "object";

CREATE CONSTRAINT TRIGGER "stored_bytes" AFTER INSERT OR DELETE OR UPDATE OF "size", "variants" ON "StoredObject"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "count_stored_bytes"();
