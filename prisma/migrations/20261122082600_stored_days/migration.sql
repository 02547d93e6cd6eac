-- CreateTable
CREATE TABLE "StoredDay" (
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "StoredDay_pkey" PRIMARY KEY ("day")
);

-- The day's most, as storage is billed, and what the days since the last change had: nothing is asked of the clock on a day
-- without changes. The very first change writes the day before it too, for what was stored until then. Whoever updates the
-- one row of SiteStorage holds its lock, so that these come one after another.
CREATE FUNCTION "keep_stored_day"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    "today" DATE := (clock_timestamp() AT TIME ZONE 'UTC')::date;
    "last" DATE := (SELECT MAX("day") FROM "StoredDay");
BEGIN
    INSERT INTO "StoredDay" AS "kept" ("day", "bytes")
    SELECT "today" - "ago", CASE "ago" WHEN 0 THEN GREATEST(OLD."bytes", NEW."bytes") ELSE OLD."bytes" END
    FROM generate_series(0, GREATEST(0, COALESCE("today" - "last" - 1, 1))) AS "ago"
    ON CONFLICT ("day") DO UPDATE SET "bytes" = GREATEST("kept"."bytes", EXCLUDED."bytes");
    RETURN NULL;
END
$$;

CREATE TRIGGER "stored_day" AFTER UPDATE OF "bytes" ON "SiteStorage"
FOR EACH ROW WHEN (OLD."bytes" <> NEW."bytes") EXECUTE FUNCTION "keep_stored_day"();
