import { Prisma } from '../../../generated/prisma/client.ts'
import { billings } from './bill.ts'

/** Over how many days a GB costs the price of a month, for those who do not go by the month's own. */
const monthDays = Object.entries(billings).flatMap(([provider, { monthDays }]) =>
  monthDays === null ? [] : [Prisma.sql`WHEN ${provider} THEN ${monthDays}::int`],
)

/**
 * Common tables behind `clock` and `terms`. `site` is what is stored now. `storage` has a row for the day and one for the
 * month: `nanos` is what keeping all that is stored costs in it, from its first day to its last, if as much is stored until
 * then as now, and `perByte` what a byte more would. By the price list, as all that budgets count; of each day by its most
 * bytes, as in stored-days.ts, whose table has a row for each day from the first one known to that of the last change.
 */
export const storageTables: Prisma.Sql = Prisma.sql`
  -- Said to be one row, for a table that nobody has analysed is taken to be long.
  "site" AS (SELECT * FROM "SiteStorage" WHERE "id" = 1),
  "month" AS (
    SELECT "at"::date AS "today", date_trunc('month', "at")::date AS "first",
      (date_trunc('month', "at") + interval '1 month')::date AS "next" FROM "clock"
  ),
  "rate" AS (
    SELECT ("prices" ->> 'stored')::numeric AS "price", ("prices" ->> 'gigabyte')::numeric * CASE "prices" ->> 'provider'
      ${Prisma.join(monthDays, ' ')} ELSE "next" - "first"
    END AS "for" FROM "terms", "month"
  ),
  "known" AS (
    SELECT COUNT(*) AS "days", COALESCE(SUM("bytes"), 0) AS "bytes"
    FROM "StoredDay", "month" WHERE "day" >= "first" AND "day" < "next"
  ),
  "unknown" AS (
    SELECT GREATEST(0, LEAST(COALESCE("day", "first"), "next") - "first") AS "days", COALESCE("bytes", 0) AS "bytes"
    FROM "month" LEFT JOIN (SELECT * FROM "StoredDay" ORDER BY "day" LIMIT 1) AS "earliest" ON true
  ),
  "kept" AS (
    SELECT 'month' AS "period", "next" - "today" AS "ahead", "known"."bytes" + "unknown"."days" * "unknown"."bytes"
      + ("next" - "first" - "known"."days" - "unknown"."days") * "site"."bytes" AS "bytes"
    FROM "month", "known", "unknown", "site"
    UNION ALL SELECT 'day', 1, COALESCE((SELECT "bytes" FROM "StoredDay" WHERE "day" = "today"), "site"."bytes")
    FROM "month", "site"
  ),
  "storage" AS MATERIALIZED (
    SELECT "period", ceil("bytes" * "price" / "for") AS "nanos", "ahead" * "price" / "for" AS "perByte" FROM "kept", "rate"
  )`
