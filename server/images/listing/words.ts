import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../../generated/prisma/client.ts'

/** A word to search for, and whose tags, albums and owners have it in their names. */
export interface Word {
  /** As the columns `searchText` have it. */
  readonly key: string
  /** The tags and albums; 'many' when they are too many to name. */
  readonly filed: readonly string[] | 'many'
  /** The same for owners; none unless the viewer may know their names. */
  readonly owners: readonly string[] | 'many'
}

/** What a word may match besides an image's own text: conditions on the rows `tag` and `album`. */
export interface Reach {
  readonly tags: Prisma.Sql
  readonly albums: Prisma.Sql
  readonly owners: boolean
  /** A condition on the row `image`: whether the viewer is told what the uploaded file was called. */
  readonly filenames: Prisma.Sql
}

/** Beyond this many, they are joined rather than named. */
const MOST = 500

const ids = z.array(z.string())
const keys = z.tuple([z.object({ key: z.string() })])
const rows = z.array(z.object({ key: z.string(), tags: ids, albums: ids, owners: ids }))

/** Returns the words of a text; they are split at white space, and every other character is a letter. */
export async function findWords(db: PrismaClient, text: string, reach: Reach): Promise<Word[]> {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return []
  const found = await db.$queryRaw`
    SELECT "key",
      ARRAY(SELECT "id"::text FROM "Tag" AS "tag" WHERE ${reach.tags} AND strpos("searchText", "key") > 0 LIMIT ${MOST + 1}) AS "tags",
      ARRAY(SELECT "id"::text FROM "Album" AS "album" WHERE ${reach.albums} AND strpos("searchText", "key") > 0 LIMIT ${MOST + 1}) AS "albums",
      ARRAY(SELECT "id"::text FROM "User" AS "owner" WHERE ${reach.owners} AND ${hasName} LIMIT ${MOST + 1}) AS "owners"
    FROM (SELECT DISTINCT regexp_split_to_table("search_key"(${line}), ' +') AS "key") AS "words"
    WHERE "key" <> '' ORDER BY "key"`
  return rows.parse(found).map(({ key, tags, albums, owners }) => ({
    key,
    filed: orMany([...tags, ...albums]),
    owners: orMany(owners),
  }))
}

/** Returns a text as the columns `searchText` have it: without accents and case. */
export async function toSearchKey(db: PrismaClient, text: string): Promise<string> {
  const [row] = keys.parse(await db.$queryRaw`SELECT "search_key"(${text}) AS "key"`)
  return row.key
}

const hasName = Prisma.sql`(strpos("search_key"("owner"."username"), "key") > 0
  OR strpos("search_key"(coalesce("owner"."displayName", '')), "key") > 0)`

const orMany = (named: readonly string[]) => (named.length > MOST ? 'many' : named)

/** Returns the condition that the row `image` has the word. */
export function hasWord({ key, filed, owners }: Word, reach: Reach): Prisma.Sql {
  // The file's name is a part of the text, so that whoever is not told it has the rest looked at again.
  const places = [
    Prisma.sql`(strpos("image"."searchText", ${key}) > 0 AND (${reach.filenames}
      OR strpos("search_key"("image"."title" || E'\n' || "image"."description"), ${key}) > 0))`,
  ]
  if (filed === 'many') {
    places.push(
      Prisma.sql`EXISTS (SELECT FROM "Tag" AS "tag"
        WHERE "tag"."id" = ANY("image"."filedUnder") AND ${reach.tags} AND strpos("tag"."searchText", ${key}) > 0)`,
      Prisma.sql`EXISTS (SELECT FROM "Album" AS "album"
        WHERE "album"."id" = ANY("image"."filedUnder") AND ${reach.albums} AND strpos("album"."searchText", ${key}) > 0)`,
    )
  } else if (filed.length > 0) places.push(Prisma.sql`"image"."filedUnder" && ${filed}::uuid[]`)
  if (owners === 'many') {
    places.push(Prisma.sql`EXISTS (SELECT FROM (SELECT ${key}::text AS "key") AS "word", "User" AS "owner"
      WHERE "owner"."id" = "image"."ownerId" AND ${hasName})`)
  } else if (owners.length > 0) places.push(Prisma.sql`"image"."ownerId" = ANY(${owners}::uuid[])`)
  return Prisma.sql`(${Prisma.join(places, ' OR ')})`
}
