import { z } from 'zod'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** A number that is exact up to a thousand: to count more would read more. */
export interface Count {
  readonly count: number
  /** There are more than `count`. */
  readonly more: boolean
}

const MOST = 1_000

/** The images of an album among which private ones are counted. */
const SEARCHED = 1_000

const facts = z.array(
  z.object({ id: z.string(), images: z.int(), coverId: z.string().nullable(), hidden: z.int(), isLong: z.boolean() }),
)

/** What an album's images tell about it. */
export interface AlbumFacts {
  /** The images that the viewer may see. */
  readonly count: Count
  /** The chosen cover if the viewer may see it, otherwise the first image that they may see. */
  readonly coverId: string | null
  /** The private images, which others do not see. */
  readonly hidden: Count
}

/** The images that a viewer sees in an album that they may read, as `image`: an album's visibility widens that of no image. */
export const seenInAlbum = (viewer: Viewer | null): Prisma.Sql => Prisma.sql`
  "image"."trashedAt" IS NULL AND (
    ${isSuperadmin(viewer)} OR "image"."visibility" <> 'private' OR "image"."ownerId" = ${viewer?.userId ?? null}::uuid)`

/** The query for the facts about several albums, which reads a bounded number of rows of each. */
export function factsQuery(ids: readonly string[], viewer: Viewer | null): Prisma.Sql {
  const seen = seenInAlbum(viewer)
  return Prisma.sql`
  SELECT "album"."id"::text,
    (SELECT count(*)::int FROM (
      SELECT 1 FROM "AlbumImage" AS "place" JOIN "Image" AS "image" ON "image"."id" = "place"."imageId"
      WHERE "place"."albumId" = "album"."id" AND ${seen} LIMIT ${MOST + 1}::int) AS "counted") AS "images",
    COALESCE(
      (SELECT "image"."id" FROM "AlbumImage" AS "place" JOIN "Image" AS "image" ON "image"."id" = "place"."imageId"
        WHERE "place"."albumId" = "album"."id" AND "place"."imageId" = "album"."coverId" AND ${seen}),
      (SELECT "image"."id" FROM "AlbumImage" AS "place" JOIN "Image" AS "image" ON "image"."id" = "place"."imageId"
        WHERE "place"."albumId" = "album"."id" AND ${seen}
        ORDER BY "place"."rank", "place"."imageId" LIMIT 1))::text AS "coverId",
    "searched"."hidden", "searched"."isLong"
  FROM "Album" AS "album" CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE "image"."visibility" = 'private' AND "image"."trashedAt" IS NULL)::int AS "hidden",
      count(*) = ${SEARCHED}::int AS "isLong"
    FROM (
      SELECT "imageId" FROM "AlbumImage" WHERE "albumId" = "album"."id" AND "album"."visibility" <> 'private'
      ORDER BY "rank", "imageId" LIMIT ${SEARCHED}::int) AS "place"
    JOIN "Image" AS "image" ON "image"."id" = "place"."imageId") AS "searched"
  WHERE "album"."id" = ANY (${ids}::uuid[])`
}

/** Returns the facts about several albums, by their IDs. */
export async function readFacts(
  db: Pick<PrismaClient, '$queryRaw'>,
  ids: readonly string[],
  viewer: Viewer | null,
): Promise<ReadonlyMap<string, AlbumFacts>> {
  if (ids.length === 0) return new Map()
  const rows = facts.parse(await db.$queryRaw(factsQuery(ids, viewer)))
  return new Map(
    rows.map(({ id, images, coverId, hidden, isLong }) => {
      const count = { count: Math.min(images, MOST), more: images > MOST }
      return [id, { count, coverId, hidden: { count: hidden, more: isLong } }]
    }),
  )
}
