import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { orderBy } from './order.ts'
import { all, walked } from './parts.ts'
import type { Selection } from './selection.ts'

/** Pages of the table that are read; the same ones each time, so that they stay in memory. */
const PAGES = 128

const estimates = z.tuple([z.object({ scale: z.number(), matches: z.int(), walk: z.int().nullable() })])

/**
 * Returns how many images have to be read in the order of a selection until `most` of it are found, judged by a sample of the table:
 * null if too few of the sample match, or if it costs more than to read all that match. `perMatch` is the cost of one of these, in
 * images that are read in order. Needs no statistics, which PGlite has none of. Takes a millisecond or two.
 */
export async function estimateWalk(
  db: Pick<PrismaClient, '$queryRaw'>,
  selection: Selection,
  {
    start,
    most,
    perMatch,
  }: { readonly start: readonly Prisma.Sql[]; readonly most: number; readonly perMatch: number },
): Promise<number | null> {
  const sample = Prisma.sql`TABLESAMPLE SYSTEM (100 / ${scale}) REPEATABLE (1)`
  const { from, conditions } = walked(selection, sample)
  const { order } = selection
  const rows = await db.$queryRaw`
    SELECT ${scale} AS "scale", coalesce(max("nth"), 0)::int AS "matches",
      (min("n") FILTER (WHERE "nth" > ceil(${most} / ${scale})))::int AS "walk"
    FROM (
      SELECT row_number() OVER "in order" AS "n", count(*) FILTER (WHERE "matches") OVER "in order" AS "nth"
      FROM (SELECT "image"."id", ${order.column} AS "key", ${all(conditions)} AS "matches"
        FROM ${from} WHERE ${all(start)} OFFSET 0) AS "image"
      WINDOW "in order" AS (ORDER BY ${orderBy(order, '"image"."key"')})) AS "sampled"`
  const [{ scale: times, matches, walk }] = estimates.parse(rows)
  return walk !== null && walk <= perMatch * matches ? Math.ceil(walk * times) : null
}

/** How many images there are for each one in the sample. A subquery, so that it is evaluated once instead of for every row. */
const scale = Prisma.sql`(SELECT greatest(1, pg_relation_size('"Image"') / ${PAGES * 8192}::float8))`
