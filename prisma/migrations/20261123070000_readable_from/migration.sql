-- The oldest version of Sluice that may use this database, by a migration that it must have (server/database/schema-wanted.ts). A
-- migration that contracts replaces this function. A function and no table, so that no backup has it.
CREATE FUNCTION "readable_from"() RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$ SELECT '20261123070000_readable_from' $$;
