import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'

const storedDays = z.array(z.object({ day: z.iso.date(), bytes: z.number(), isKnown: z.boolean() }))

/** What was stored at most on a day; `isKnown` unless that day is before the first one that was counted. */
export type StoredDay = Readonly<z.output<typeof storedDays.element>>

/** What was stored on each day from one to before another, in order. Days before the first one that was counted have what that
 *  one had, and those since the last change what is stored now. */
export async function readStoredDays(db: PrismaClient, first: string, next: string): Promise<StoredDay[]> {
  const rows = await db.$queryRaw`
    WITH "first" AS (SELECT * FROM "StoredDay" ORDER BY "day" LIMIT 1)
    SELECT to_char("days"."day", 'YYYY-MM-DD') AS "day",
      COALESCE("kept"."bytes", CASE WHEN "days"."day" < "first"."day" THEN "first"."bytes" END, "site"."bytes")::float8 AS "bytes",
      "days"."day" >= COALESCE("first"."day", "days"."day") AS "isKnown"
    FROM generate_series(${first}::date::timestamp, ${next}::date - 1, interval '1 day') AS "days" ("day")
      CROSS JOIN "SiteStorage" AS "site" LEFT JOIN "first" ON true LEFT JOIN "StoredDay" AS "kept" ON "kept"."day" = "days"."day"
    ORDER BY "days"."day"`
  return storedDays.parse(rows)
}
