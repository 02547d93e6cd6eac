import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { ranksBetween } from './rank.ts'

/** Where images go: right before or right after another one of the album; null for its end or its beginning. */
export type Place = { readonly before: string | null } | { readonly after: string | null }

const ranked = z.array(z.object({ rank: z.string() }))

/** Returns `count` ranks at a place, leaving out `moved`, the images that are on their way there. Returns null if the image that
 *  names the place is not in the album. The caller holds the album's lock. */
export async function ranksAt(
  tx: Transaction,
  albumId: string,
  place: Place,
  { count, moved = [] }: { readonly count: number; readonly moved?: readonly string[] },
): Promise<readonly string[] | null> {
  const find = async () => {
    const gap = await findGap(tx, albumId, place, moved)
    return gap && { ranks: ranksBetween(gap.low, gap.high, count) }
  }
  const found = await find()
  if (!found || found.ranks) return found?.ranks ?? null
  await rankAfresh(tx, albumId)
  return (await find())?.ranks ?? null
}

interface Gap {
  readonly low: string | null
  readonly high: string | null
}

async function findGap(tx: Transaction, albumId: string, place: Place, moved: readonly string[]): Promise<Gap | null> {
  const [anchorId, isBefore] = 'before' in place ? [place.before, true] : [place.after, false]
  if (anchorId === null) {
    const edge = await findEdge(tx, albumId, moved, isBefore ? 'last' : 'first')
    return isBefore ? { low: edge, high: null } : { low: null, high: edge }
  }
  const anchor = await tx.albumImage.findUnique({
    where: { albumId_imageId: { albumId, imageId: anchorId } },
    select: { rank: true },
  })
  if (!anchor || moved.includes(anchorId)) return null
  const [neighbour] = ranked.parse(
    isBefore
      ? await tx.$queryRaw`
          SELECT "rank" FROM "AlbumImage"
          WHERE "albumId" = ${albumId}::uuid AND ("rank", "imageId") < (${anchor.rank}, ${anchorId}::uuid)
            AND "imageId" <> ALL (${moved}::uuid[])
          ORDER BY "rank" DESC, "imageId" DESC LIMIT 1`
      : await tx.$queryRaw`
          SELECT "rank" FROM "AlbumImage"
          WHERE "albumId" = ${albumId}::uuid AND ("rank", "imageId") > (${anchor.rank}, ${anchorId}::uuid)
            AND "imageId" <> ALL (${moved}::uuid[])
          ORDER BY "rank", "imageId" LIMIT 1`,
  )
  const beside = neighbour?.rank ?? null
  return isBefore ? { low: beside, high: anchor.rank } : { low: anchor.rank, high: beside }
}

async function findEdge(
  tx: Transaction,
  albumId: string,
  moved: readonly string[],
  edge: 'first' | 'last',
): Promise<string | null> {
  const direction = edge === 'first' ? 'asc' : 'desc'
  const row = await tx.albumImage.findFirst({
    where: { albumId, imageId: { notIn: [...moved] } },
    orderBy: [{ rank: direction }, { imageId: direction }],
    select: { rank: true },
  })
  return row?.rank ?? null
}

/** Gives all images of an album short ranks, in the order that they have. Rare: only where ranks have grown long or are equal. */
async function rankAfresh(tx: Transaction, albumId: string): Promise<void> {
  const count = await tx.albumImage.count({ where: { albumId } })
  await tx.$executeRaw`
    UPDATE "AlbumImage" SET "rank" = "fresh"."rank"
    FROM (
      SELECT "imageId", row_number() OVER (ORDER BY "rank", "imageId") AS "at"
      FROM "AlbumImage" WHERE "albumId" = ${albumId}::uuid) AS "old"
    JOIN unnest(${ranksBetween(null, null, count) ?? []}::text[]) WITH ORDINALITY AS "fresh" ("rank", "at") USING ("at")
    WHERE "albumId" = ${albumId}::uuid AND "AlbumImage"."imageId" = "old"."imageId"`
}
