import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { storageTables } from '../bill/storage-cost.ts'
import type { BudgetUnit, BudgetUse } from '../budget.ts'
import { budgetUses, type Terms, termTables, usedAmount } from '../terms.ts'

/** What can be leased, by its column in the table Spending: requests of a class, or bytes in one direction. */
export type Kind = 'writes' | 'reads' | 'deletes' | 'bytesIn' | 'bytesOut'

interface KindFacts {
  readonly column: Prisma.Sql
  /** The budget units that this kind counts towards. All kinds but deletes also count towards budgets of money. */
  readonly units: readonly BudgetUnit[]
  /** The amount that the table's price is for; null for the provider's gigabyte. */
  readonly priced: number | null
}

const kinds: Readonly<Record<Kind, KindFacts>> = {
  writes: { column: Prisma.sql`"writes"`, units: ['requests', 'writes'], priced: 1_000_000 },
  reads: { column: Prisma.sql`"reads"`, units: ['requests', 'reads'], priced: 1_000_000 },
  deletes: { column: Prisma.sql`"deletes"`, units: [], priced: 1_000_000 },
  bytesIn: { column: Prisma.sql`"bytesIn"`, units: ['bytes'], priced: null },
  bytesOut: { column: Prisma.sql`"bytesOut"`, units: ['bytes', 'bytesOut'], priced: null },
}

export interface LeaseRequest {
  readonly kind: Kind
  /** The smallest useful amount: the lease is refused if there is room for less. */
  readonly least: number
  readonly most: number
  /** False for what is counted even beyond a budget: deletes, and what has already happened. */
  readonly isBound: boolean
}

const leased = z.object({
  day: z.iso.date(),
  msLeft: z.number(),
  amount: z.number(),
  nanos: z.number(),
  budgets: budgetUses,
  blocked: z.array(budgetUses.element.extend({ room: z.number() })),
})

/** An amount that a process may use without asking again. In the database it already counts as used. */
export interface Leased {
  /** The day that it counts on, in UTC: `YYYY-MM-DD`. */
  readonly day: string
  /** Milliseconds until that day ends, by the database's clock. */
  readonly msLeft: number
  /** 0 if a budget has no room for `least`. */
  readonly amount: number
  readonly nanos: number
  /** The budgets that this counts towards, with it included. */
  readonly budgets: readonly BudgetUse[]
  /** The budgets that refused it, with their room; negative for an exceeded budget. */
  readonly blocked: readonly (BudgetUse & { readonly room: number })[]
}

/** A lease takes at most this fraction (1/16) of what is left of a budget, so that several processes can share the rest. */
const SHARES = 16

/** Leases an amount of today and of this month, if every budget has room for it. It is one statement, which locks the
 *  month's row and then the day's, checks every budget, and counts in both rows or in neither. Rejects when the database
 *  fails: the amount may have been counted, but must not be used. */
export async function lease(db: PrismaClient, terms: Terms, asked: LeaseRequest): Promise<Leased> {
  for (;;) {
    const [row] = z.array(leased).parse(await db.$queryRaw(leaseStatement(terms, asked)))
    if (row) return row
    await db.$executeRaw`
      WITH ${termTables(terms)}
      INSERT INTO "Spending" ("period", "start")
      SELECT "period", date_trunc("period", "at")::date FROM "clock", (VALUES ('month'), ('day')) AS "every" ("period")
      ON CONFLICT DO NOTHING`
  }
}

function leaseStatement(terms: Terms, { kind, least, most, isBound }: LeaseRequest): Prisma.Sql {
  const { column, units, priced } = kinds[kind]
  const counts = units.length > 0 ? Prisma.sql`"unit" IN (${Prisma.join([...units])})` : Prisma.sql`false`
  return Prisma.sql`
    WITH ${termTables(terms)}, ${storageTables},
    "price" AS (
      SELECT ("prices" ->> ${kind})::numeric AS "nanos",
        COALESCE(${priced}::numeric, ("prices" ->> 'gigabyte')::numeric) AS "for" FROM "terms"
    ),
    -- In a new period a row is missing; with fewer than two rows the statement changes and returns nothing.
    "locked" AS MATERIALIZED (
      SELECT "spent".* FROM "Spending" AS "spent", "clock"
      WHERE "spent"."period" IN ('day', 'month') AND "spent"."start" = date_trunc("spent"."period", "clock"."at")::date
      ORDER BY "spent"."period" DESC FOR UPDATE OF "spent"
    ),
    "uses" AS (
      SELECT "budgets".*, ${usedAmount(Prisma.sql`"locked"`)} AS "used", ${counts} AS "counts"
      FROM "budgets" JOIN "locked" USING ("period")
    ),
    "rooms" AS (
      SELECT "uses".*, CASE
        WHEN "counts" THEN "limit" - "used"
        WHEN "unit" = 'money' AND "price"."nanos" > 0
          THEN floor(("limit" - "used") * "price"."for" / "price"."nanos")
      END AS "room" FROM "uses", "price"
    ),
    "granted" AS (
      SELECT "amount", ceil("amount" * "price"."nanos" / "price"."for")::bigint AS "nanos" FROM "price", (
        SELECT CASE
          WHEN NOT ${isBound}::boolean THEN ${most}::bigint
          WHEN MIN("room") < ${least}::bigint THEN 0
          ELSE GREATEST(${least}::bigint, LEAST(${most}::bigint, floor(MIN("room") / ${SHARES}::int)))::bigint
        END AS "amount" FROM "rooms"
      ) AS "portion"
    ),
    "counted" AS (
      UPDATE "Spending" AS "spent"
      SET ${column} = "spent".${column} + "granted"."amount", "nanos" = "spent"."nanos" + "granted"."nanos"
      FROM "locked", "granted"
      WHERE "spent"."period" = "locked"."period" AND "spent"."start" = "locked"."start" AND "granted"."amount" > 0
        AND (SELECT COUNT(*) FROM "locked") = 2
    )
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day",
      (extract(epoch FROM date_trunc('day', "clock"."at") + interval '1 day' - "clock"."at") * 1000)::float8 AS "msLeft",
      "granted"."amount"::float8 AS "amount", "granted"."nanos"::float8 AS "nanos",
      (SELECT COALESCE(json_agg(json_build_object(
        'period', "period", 'unit', "unit", 'limit', "limit", 'isFree', "isFree", 'used', "used" +
          CASE WHEN "counts" THEN "granted"."amount" ELSE "granted"."nanos" END
      )), '[]') FROM "rooms" WHERE "room" IS NOT NULL) AS "budgets",
      (SELECT COALESCE(json_agg("rooms"), '[]') FROM "rooms" WHERE ${isBound}::boolean AND "room" < ${least}::bigint)
        AS "blocked"
    FROM "clock", "granted" WHERE (SELECT COUNT(*) FROM "locked") = 2`
}

/** The unused rest of leases of one day. */
export interface Unused {
  readonly kind: Kind
  readonly day: string
  readonly amount: number
  readonly nanos: number
}

/** Returns an unused amount to its day and month. Do not retry after a failure: the first attempt may have succeeded, and
 *  a second one would count too little. */
export async function giveBack(db: PrismaClient, { kind, day, amount, nanos }: Unused): Promise<void> {
  const { column } = kinds[kind]
  await db.$executeRaw`
    WITH "locked" AS MATERIALIZED (
      SELECT "period", "start" FROM "Spending"
      WHERE "period" IN ('day', 'month') AND "start" = date_trunc("period", ${day}::timestamp)::date
      ORDER BY "period" DESC FOR UPDATE
    )
    UPDATE "Spending" AS "spent"
    SET ${column} = "spent".${column} - ${amount}::bigint, "nanos" = "spent"."nanos" - ${nanos}::bigint
    FROM "locked" WHERE "spent"."period" = "locked"."period" AND "spent"."start" = "locked"."start"`
}
