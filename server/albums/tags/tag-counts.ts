import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import type { TagRow } from './tag-rows.ts'

/** Images are counted up to this. */
const MOST = 1_000

/** A tag with how many images outside the trash have it. */
export interface CountedTag extends TagRow {
  readonly count: number
  /** There are more images than `count`. */
  readonly more: boolean
}

const counts = z.array(z.object({ id: z.string(), count: z.int() }))

/** Counts the images of tags: one query, and at most 1,001 rows for each tag. */
export async function countImages(
  db: Pick<Transaction, '$queryRaw'>,
  tags: readonly TagRow[],
): Promise<readonly CountedTag[]> {
  if (tags.length === 0) return []
  const rows = await db.$queryRaw`
    SELECT "asked"."id"::text, (
      SELECT count(*)::int FROM (
        SELECT 1 FROM "ImageTag" JOIN "Image" ON "Image"."id" = "ImageTag"."imageId"
        WHERE "ImageTag"."tagId" = "asked"."id" AND "Image"."trashedAt" IS NULL LIMIT ${MOST + 1}) AS "some") AS "count"
    FROM unnest(${tags.map(({ id }) => id)}::uuid[]) AS "asked" ("id")`
  const found = new Map(counts.parse(rows).map(({ id, count }) => [id, count]))
  return tags.map(({ id, name }) => {
    const count = found.get(id) ?? 0
    return { id, name, count: Math.min(count, MOST), more: count > MOST }
  })
}
