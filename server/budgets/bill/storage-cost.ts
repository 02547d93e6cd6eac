import { Prisma } from '../../../generated/prisma/client.ts'
import { billings } from './bill.ts'

/** Billing months of providers that do not use the calendar month. */
const monthDays = Object.entries(billings).flatMap(([provider, { monthDays }]) =>
  monthDays === null ? [] : [Prisma.sql`WHEN ${provider} THEN ${monthDays}::int`],
)

/**
 * Common table expressions that follow `clock` and `terms`. `site` is what is stored now. `storage` has a row for the day
 * and one for the month: `nanos` is the cost of storage from the period's first day to its last, assuming that storage
 * stays as it is now, and `perByte` the cost of one more byte. At list prices, like everything that budgets count. Each
 * day counts with its peak, as in stored-days.ts: the table StoredDay has a row for each day from the first one counted
 * to that of the last change.
 */
export const storageTables: Prisma.Sql = Prisma.sql`
  -- "id" = 1 tells the planner that there is one row: it assumes many for a table without statistics.
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
