-- AlterTable
ALTER TABLE "StoredObject" ADD COLUMN     "variantsComing" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "variantsReserved" INTEGER NOT NULL DEFAULT 0;

-- Variants that follow an upload's answer count as stored from the beginning, by what they may take at most. A version that
-- does not know of this makes them all the same, and ends the reservation by `variantsDue`.
CREATE FUNCTION "reserved_of_object"("object" "StoredObject") RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN "object"."variantsDue" THEN "object"."variantsReserved" ELSE 0 END::bigint
$$;

CREATE FUNCTION "add_reserved_bytes"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    "more" BIGINT := 0;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        "more" := - "reserved_of_object"(OLD);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        "more" := "more" + "reserved_of_object"(NEW);
    END IF;
    IF "more" <> 0 THEN
        PERFORM
            set_config('sluice.bytes', ("more" + COALESCE(NULLIF(current_setting('sluice.bytes', true), '')::bigint, 0))::text, true),
            set_config('sluice.objects', COALESCE(NULLIF(current_setting('sluice.objects', true), ''), '0'), true);
    END IF;
    RETURN NULL;
END
$$;

-- Before "count_reserved_bytes" and "stored_bytes", which count what has been added up: triggers that are due at once go by
-- their names.
CREATE TRIGGER "add_reserved_bytes" AFTER INSERT OR DELETE OR UPDATE OF "variantsReserved", "variantsDue" ON "StoredObject"
FOR EACH ROW EXECUTE FUNCTION "add_reserved_bytes"();

CREATE CONSTRAINT TRIGGER "count_reserved_bytes" AFTER UPDATE OF "variantsReserved", "variantsDue" ON "StoredObject"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "count_stored_bytes"();
