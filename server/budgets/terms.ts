import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Prices, pricesSchema } from './bill/prices.ts'
import { storageTables } from './bill/storage-cost.ts'
import { type BudgetUse, periods, units } from './budget.ts'

/** Parameters of the statements below. */
export interface Terms {
  /** Used unless the owner has entered prices. */
  readonly prices: Prices
  /** Decides the day: the database's clock, unless a test sets its own. */
  readonly now?: Prisma.Sql | undefined
}

/** Common table expressions: `clock` is the time in UTC, `terms` the prices, `budgets` the budgets in force. */
export const termTables = ({ prices, now = Prisma.sql`clock_timestamp()` }: Terms): Prisma.Sql => Prisma.sql`
  "clock" AS MATERIALIZED (SELECT ${now} AT TIME ZONE 'UTC' AS "at"),
  "terms" AS (
    SELECT COALESCE("own"."prices", ${JSON.stringify(prices)}::jsonb) AS "prices",
      "own"."prices" IS NOT NULL AS "pricesAreOwn", COALESCE("own"."freeTier", false) AS "freeTier"
    FROM (VALUES (1)) AS "one" ("id") LEFT JOIN "SpendingTerms" AS "own" USING ("id")
  ),
  "allowances" AS (
    SELECT "free".* FROM "terms",
      jsonb_to_recordset("terms"."prices" -> 'free') AS "free" ("period" text, "unit" text, "limit" bigint)
    WHERE "terms"."freeTier"
  ),
  -- Of several limits for a unit and period the lowest applies.
  "budgets" AS (
    SELECT DISTINCT ON ("period", "unit") * FROM (
      SELECT "period", "unit", "limit", false AS "isFree" FROM "Budget"
      UNION ALL SELECT "period", "unit", "limit", true FROM "allowances"
    ) AS "every" ORDER BY "period", "unit", "limit", "isFree"
  )`

/** The cost of storage in the period of a row of `budgets`; needs `storageTables`. */
export const storageNanos: Prisma.Sql = Prisma.sql`
  (SELECT "nanos" FROM "storage" WHERE "storage"."period" = "budgets"."period")`

/** The use of a row of `budgets` according to a row of Spending. */
export const usedAmount = (spending: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE "unit"
    WHEN 'requests' THEN ${spending}."writes" + ${spending}."reads"
    WHEN 'writes' THEN ${spending}."writes"
    WHEN 'reads' THEN ${spending}."reads"
    WHEN 'bytes' THEN ${spending}."bytesIn" + ${spending}."bytesOut"
    WHEN 'bytesOut' THEN ${spending}."bytesOut"
    WHEN 'money' THEN COALESCE(${spending}."nanos", 0) + ${storageNanos}
  END`

/** The JSON array in which statements return budgets. */
export const budgetUses = z.array(
  z.object({
    period: z.enum(periods),
    unit: z.enum(units),
    limit: z.number(),
    used: z.number(),
    isFree: z.boolean(),
  }),
)

const held = z.tuple([
  z.object({
    day: z.iso.date(),
    prices: pricesSchema,
    pricesAreOwn: z.boolean(),
    freeTier: z.boolean(),
    stored: z.object({ bytes: z.number(), objects: z.number() }),
    budgets: z.array(budgetUses.element.extend({ storage: z.number(), ownLimit: z.number().nullable() })),
  }),
])

/** A budget in force, with what pages show beside its use. */
export interface CurrentBudget extends BudgetUse {
  /** The part of `used` that pays for storage; 0 unless the unit is money. */
  readonly storage: number
  /** The limit set by the owner, even where a lower free allowance applies; null if none is set. */
  readonly ownLimit: number | null
}

/** The prices and budgets in force, and what is used. */
export interface CurrentTerms {
  /** Today by the database's clock, in UTC: `YYYY-MM-DD`. */
  readonly day: string
  readonly prices: Prices
  /** The owner has entered them. */
  readonly pricesAreOwn: boolean
  readonly freeTier: boolean
  readonly stored: { readonly bytes: number; readonly objects: number }
  readonly budgets: readonly CurrentBudget[]
}

/** Reads prices, budgets and their use in one statement. */
export async function readTerms(db: Pick<PrismaClient, '$queryRaw'>, terms: Terms): Promise<CurrentTerms> {
  const rows = await db.$queryRaw`
    WITH ${termTables(terms)}, ${storageTables},
    "uses" AS (
      SELECT "budgets".*, COALESCE(
        CASE "unit" WHEN 'stored' THEN "site"."bytes" ELSE ${usedAmount(Prisma.sql`"spent"`)} END, 0
      ) AS "used", CASE "unit" WHEN 'money' THEN ${storageNanos} ELSE 0 END AS "storage",
        (SELECT "own"."limit" FROM "Budget" AS "own"
          WHERE "own"."period" = "budgets"."period" AND "own"."unit" = "budgets"."unit") AS "ownLimit"
      FROM "budgets" CROSS JOIN "clock" CROSS JOIN "site"
        LEFT JOIN "Spending" AS "spent" ON "spent"."period" = "budgets"."period"
          AND "spent"."start" = date_trunc("spent"."period", "clock"."at")::date
    )
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day", "terms"."prices", "terms"."pricesAreOwn", "terms"."freeTier",
      json_build_object('bytes', "site"."bytes", 'objects', "site"."objects") AS "stored",
      (SELECT COALESCE(json_agg("uses" ORDER BY "period", "unit"), '[]') FROM "uses") AS "budgets"
    FROM "clock", "terms", "site"`
  return held.parse(rows)[0]
}
