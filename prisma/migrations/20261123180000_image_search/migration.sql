-- AlterTable
ALTER TABLE "Album" ADD COLUMN     "searchText" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Image" ADD COLUMN     "datedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "filedUnder" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "searchText" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "titleKey" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Tag" ADD COLUMN     "searchText" TEXT NOT NULL DEFAULT '';

-- Text as it is searched: without accents and case, full width and ligatures as ordinary letters. The same in every locale of a
-- database, so it does not leave case to it.
CREATE FUNCTION "search_key"(TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE
  WHEN octet_length($1) = length($1) THEN lower($1 COLLATE "C")
  ELSE lower(replace(replace(replace(replace(replace(translate(
    regexp_replace(normalize($1, NFKD), '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f]', '', 'g'),
    'ØŁĐĦŦıøłđħŧΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
    'oldhtioldhtαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'),
    'ß', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe') COLLATE "C")
END;

-- A title as lists are sorted by it: as it is searched, with numbers padded so that 2 comes before 10.
CREATE FUNCTION "title_key"(TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT AS $$
BEGIN
  RETURN left(regexp_replace(
    regexp_replace("search_key"($1), '([0-9]+)', '000000000000000\1', 'g'), '0*([0-9]{16,})', '\1', 'g'), 200);
END $$;

-- The terms that an image is found by, for a GIN index. Terms of its text are the three letters from each letter on, or fewer at
-- the end of a word: a search of one or two letters is their prefix. The others begin with a space, which is in no word.
CREATE FUNCTION "image_terms"(
  "text" TEXT, "ownerId" UUID, "filedUnder" UUID[], "mime" TEXT, "visibility" "Visibility", "width" INTEGER, "height" INTEGER,
  "size" INTEGER
) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  "word" TEXT;
  "terms" TEXT[];
BEGIN
  "terms" := ARRAY[
    ' o' || "ownerId",
    ' m' || "mime",
    CASE "visibility" WHEN 'public' THEN ' vpublic' WHEN 'link' THEN ' vlink' ELSE ' vprivate' END,
    CASE
      WHEN "width" * 10 > "height" * 11 THEN ' slandscape'
      WHEN "height" * 10 > "width" * 11 THEN ' sportrait'
      ELSE ' ssquare'
    END,
    CASE WHEN "size" < 1048576 THEN ' bsmall' WHEN "size" < 10485760 THEN ' bmedium' ELSE ' blarge' END];
  FOR n IN 1..coalesce(array_length("filedUnder", 1), 0) LOOP
    "terms" := "terms" || (' f' || "filedUnder"[n]);
  END LOOP;
  FOREACH "word" IN ARRAY regexp_split_to_array("text", '[ \n]+') LOOP
    FOR n IN 1..length("word") LOOP
      "terms" := "terms" || substr("word", n, 3);
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector("terms");
END $$;

CREATE FUNCTION "keep_image_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW."datedAt" := coalesce(NEW."takenAt", NEW."createdAt");
  NEW."titleKey" := "title_key"(NEW."title");
  NEW."searchText" := "search_key"(NEW."title" || E'\n' || NEW."description" || E'\n' || NEW."filename");
  RETURN NEW;
END $$;

CREATE TRIGGER "Image_search" BEFORE INSERT OR UPDATE OF "title", "description", "filename", "takenAt", "createdAt" ON "Image"
  FOR EACH ROW EXECUTE FUNCTION "keep_image_search"();

CREATE FUNCTION "keep_tag_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := "search_key"(NEW."name");
  RETURN NEW;
END $$;

CREATE TRIGGER "Tag_search" BEFORE INSERT OR UPDATE OF "name" ON "Tag"
  FOR EACH ROW EXECUTE FUNCTION "keep_tag_search"();

CREATE FUNCTION "keep_album_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := "search_key"(NEW."title");
  RETURN NEW;
END $$;

CREATE TRIGGER "Album_search" BEFORE INSERT OR UPDATE OF "title" ON "Album"
  FOR EACH ROW EXECUTE FUNCTION "keep_album_search"();

-- Rows are locked before they are read, and in one order, so that two who file the same images at once lose nothing. Albums of
-- others are left out: nobody can make another's row grow.
CREATE FUNCTION "file_images"("changed" UUID[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "Image" WHERE "id" = ANY("changed") ORDER BY "id" FOR NO KEY UPDATE;
  UPDATE "Image" AS "image" SET "filedUnder" = "current"."ids"
  FROM (
    SELECT "one"."id", ARRAY(
      SELECT "tagId" FROM "ImageTag" WHERE "imageId" = "one"."id"
      UNION
      SELECT "album"."id" FROM "AlbumImage" AS "in" JOIN "Album" AS "album" ON "album"."id" = "in"."albumId"
      WHERE "in"."imageId" = "one"."id" AND "album"."ownerId" = "one"."ownerId") AS "ids"
    FROM "Image" AS "one" WHERE "one"."id" = ANY("changed")
  ) AS "current"
  WHERE "image"."id" = "current"."id" AND "image"."filedUnder" IS DISTINCT FROM "current"."ids";
END $$;

CREATE FUNCTION "keep_filed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "file_images"(ARRAY(SELECT DISTINCT "imageId" FROM "rows"));
  RETURN NULL;
END $$;

-- A tag or an album that is deleted with all its rows stays in "filedUnder", where nothing looks for it: deleting one with a hundred
-- thousand images changes none of them.
CREATE FUNCTION "keep_tags_removed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "file_images"(ARRAY(
    SELECT DISTINCT "imageId" FROM "rows" WHERE EXISTS (SELECT FROM "Tag" WHERE "id" = "rows"."tagId")));
  RETURN NULL;
END $$;

CREATE FUNCTION "keep_albums_removed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "file_images"(ARRAY(
    SELECT DISTINCT "imageId" FROM "rows" WHERE EXISTS (SELECT FROM "Album" WHERE "id" = "rows"."albumId")));
  RETURN NULL;
END $$;

CREATE TRIGGER "ImageTag_filed" AFTER INSERT ON "ImageTag" REFERENCING NEW TABLE AS "rows"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_filed"();
CREATE TRIGGER "ImageTag_removed" AFTER DELETE ON "ImageTag" REFERENCING OLD TABLE AS "rows"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_tags_removed"();
CREATE TRIGGER "AlbumImage_filed" AFTER INSERT ON "AlbumImage" REFERENCING NEW TABLE AS "rows"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_filed"();
CREATE TRIGGER "AlbumImage_removed" AFTER DELETE ON "AlbumImage" REFERENCING OLD TABLE AS "rows"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_albums_removed"();

-- About a minute for a million images, which nobody can read in the meantime.
UPDATE "Image" SET
  "datedAt" = coalesce("takenAt", "createdAt"),
  "titleKey" = "title_key"("title"),
  "searchText" = "search_key"("title" || E'\n' || "description" || E'\n' || "filename");

UPDATE "Tag" SET "searchText" = "search_key"("name");

UPDATE "Album" SET "searchText" = "search_key"("title");
