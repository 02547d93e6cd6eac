-- What the site stores was counted once for each row, at the end of the transaction: each count an update of the one row
-- there is, behind all those before it, so that a million objects in one transaction took hours. Now rows are added up as
-- they come, in settings that last as long as the transaction, savepoints included, and its end counts the sum.

CREATE FUNCTION "add_stored_bytes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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
        PERFORM
            set_config('sluice.bytes', ("more" + COALESCE(NULLIF(current_setting('sluice.bytes', true), '')::bigint, 0))::text, true),
            set_config('sluice.objects', ("objects_more" + COALESCE(NULLIF(current_setting('sluice.objects', true), '')::bigint, 0))::text, true);
    END IF;
    RETURN NULL;
END
$$;

-- Before "stored_bytes", which is for the same row: triggers that are due at once go by their names.
CREATE TRIGGER "add_stored_bytes" AFTER INSERT OR DELETE OR UPDATE OF "size", "variants" ON "StoredObject"
FOR EACH ROW EXECUTE FUNCTION "add_stored_bytes"();

-- Deferred as before, behind all other locks, so that nobody waits for a row while holding this one. The first row's call
-- counts what all of them came to, and the others find nothing left.
CREATE OR REPLACE FUNCTION "count_stored_bytes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    "more" BIGINT := NULLIF(current_setting('sluice.bytes', true), '');
    "objects_more" BIGINT := NULLIF(current_setting('sluice.objects', true), '');
BEGIN
    IF "more" IS NOT NULL THEN
        PERFORM set_config('sluice.bytes', '', true), set_config('sluice.objects', '', true);
        UPDATE "SiteStorage" SET "bytes" = "bytes" + "more", "objects" = "objects" + "objects_more" WHERE "id" = 1;
    END IF;
    RETURN NULL;
END
$$;
