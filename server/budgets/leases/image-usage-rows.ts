import type { PrismaClient } from '#server/database/database.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import { daysBefore } from '../bill/month.ts'
import { OTHERS } from './others.ts'

/** How often an image was read on a day. By its ID and not by its hash, which would show an owner what is read of others'
 *  copies of the same file. */
export interface ImageUsageRow {
  readonly day: string
  readonly image: string
  /** Answers that sent bytes of it, from the bucket or a cache. */
  reads: number
  sent: number
}

/** Days that are kept, today included: an image's page shows as many. */
const KEPT_DAYS = 30

/** Adds to the stored rows, in the order of their keys. On a day of `full`, an image without a row is added to OTHERS. */
export function addImageUsage(
  db: PrismaClient,
  images: readonly ImageUsageRow[],
  full: readonly string[],
): Prisma.PrismaPromise<number> {
  return db.$executeRaw`
    INSERT INTO "ImageUsageDay" AS "row" ("day", "image", "reads", "sent")
    SELECT "day", "name", SUM("reads"), SUM("sent")
    FROM jsonb_to_recordset(${JSON.stringify(images)}::jsonb) AS "new" (
      "day" date, "image" text, "reads" bigint, "sent" bigint
    ), LATERAL (
      SELECT CASE WHEN "day"::text = ANY(${full}::text[]) AND NOT EXISTS (
        SELECT FROM "ImageUsageDay" AS "old" WHERE ("old"."day", "old"."image") = ("new"."day", "new"."image")
      ) THEN ${OTHERS} ELSE "image" END AS "name"
    ) AS "named"
    GROUP BY "day", "name" ORDER BY "day", "name"
    ON CONFLICT ("day", "image") DO UPDATE SET
      "reads" = "row"."reads" + EXCLUDED."reads", "sent" = "row"."sent" + EXCLUDED."sent"`
}

/** Deletes what no page shows any more. Returns the number of rows deleted. */
export async function dropImageUsage(db: PrismaClient, today: string): Promise<number> {
  const { count } = await db.imageUsageDay.deleteMany({
    where: { day: { lt: new Date(daysBefore(today, KEPT_DAYS - 1)) } },
  })
  return count
}
