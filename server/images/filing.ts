import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'

/** What an image is filed under. */
export interface Filing {
  /** Whether the viewer has marked it. */
  readonly favourite: boolean
  /** The names of its owner's tags, in order. */
  readonly tags: readonly string[]
}

const filed = z.array(z.object({ id: z.string(), favourite: z.boolean(), tags: z.array(z.string()) }))

/** Returns what several images are filed under, by their IDs: one query for a whole page. */
export async function readFiling(
  db: Pick<Transaction, '$queryRaw'>,
  ids: readonly string[],
  viewer: Viewer | null,
): Promise<ReadonlyMap<string, Filing>> {
  if (ids.length === 0) return new Map()
  const rows = await db.$queryRaw`
    SELECT "asked"."id"::text,
      EXISTS (
        SELECT 1 FROM "Favourite"
        WHERE "userId" = ${viewer?.userId ?? null}::uuid AND "imageId" = "asked"."id") AS "favourite",
      ARRAY (
        SELECT "Tag"."name" FROM "ImageTag" JOIN "Tag" ON "Tag"."id" = "ImageTag"."tagId"
        WHERE "ImageTag"."imageId" = "asked"."id" ORDER BY "Tag"."nameKey" COLLATE "C") AS "tags"
    FROM unnest(${ids}::uuid[]) AS "asked" ("id")`
  return new Map(filed.parse(rows).map(({ id, favourite, tags }) => [id, { favourite, tags }]))
}
