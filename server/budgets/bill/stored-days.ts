import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'

const storedDays = z.array(z.object({ day: z.iso.date(), bytes: z.number(), isKnown: z.boolean() }))

/** The peak of stored bytes on a day; `isKnown` is false for days before counting began. */
export type StoredDay = Readonly<z.output<typeof storedDays.element>>

/** Returns the bytes stored on each day from `first` up to but not including `next`, in order. Days before counting began
 *  have the bytes of the first day counted; days since the last change have what is stored now. */
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
