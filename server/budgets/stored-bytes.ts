import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { storageTables } from './bill/storage-cost.ts'
import { type BudgetUse, ORDINARY_UPLOAD } from './budget.ts'
import { budgetKey } from './budget-item.ts'
import { budgetUses, type Terms, termTables, usedAmount } from './terms.ts'

const bounding = budgetUses.element.extend({ perByte: z.number() })
const counted = z.tuple([z.object({ day: z.iso.date(), budgets: z.array(bounding) })])

/** A budget that bounds storage, and how much of it one more byte uses: 1 for bytes, nanos for money. */
type Bounding = z.infer<typeof bounding>

/** The result of counting an upload's bytes. */
export interface CountedBytes {
  readonly day: string
  /** Their use once the transaction has ended: committed for 'fits', rolled back (which is up to the caller) otherwise. */
  readonly budgets: readonly BudgetUse[]
  /** Those without room for an ordinary upload. */
  readonly spent: readonly BudgetUse[]
  readonly outcome: 'fits' | 'too-large' | 'full'
}

/**
 * Counts the bytes that the transaction has added to storage, and requires room for `known` more, which are counted already: an
 * upload of bytes that exist needs as much room as one of new bytes. Call it after all other locks are taken: until the
 * transaction ends, no other can count. Without a budget for storage nothing is locked here, and the trigger counts at
 * the end of the transaction.
 */
export async function countStored(tx: Transaction, terms: Terms, known = 0): Promise<CountedBytes> {
  const unbound = await readBounding(tx, terms)
  if (unbound.budgets.length === 0) return { ...unbound, spent: [], outcome: 'fits' }
  await tx.$queryRaw`SELECT 1 FROM "SiteStorage" WHERE "id" = 1 FOR UPDATE`
  const before = await readBounding(tx, terms)
  // The counting trigger is deferred to the end of the transaction; this runs it now.
  await tx.$executeRaw`SET CONSTRAINTS "stored_bytes" IMMEDIATE`
  const { day, budgets } = await readBounding(tx, terms)
  const exceeded = budgets.filter(({ used, limit, perByte }) => used + Math.ceil(known * perByte) > limit)
  if (exceeded.length === 0) return { day, budgets, spent: [], outcome: 'fits' }
  const keys = new Set(exceeded.map(budgetKey))
  const hasNoRoom = ({ used, limit, perByte }: Bounding) => used + Math.ceil(ORDINARY_UPLOAD * perByte) > limit
  const spent = before.budgets.filter((use) => keys.has(budgetKey(use)) && hasNoRoom(use))
  return { ...before, spent, outcome: spent.length > 0 ? 'full' : 'too-large' }
}

/** Reads the budgets that bound storage and their use: those of stored bytes, and those of money if storage has a price. */
async function readBounding(tx: Transaction, terms: Terms): Promise<z.infer<typeof counted>[0]> {
  const rows = await tx.$queryRaw`
    WITH ${termTables(terms)}, ${storageTables},
    "bounding" AS (
      SELECT "budgets".*, "site"."bytes" AS "used", 1 AS "perByte" FROM "budgets", "site"
      WHERE "period" = 'standing'
      UNION ALL SELECT "budgets".*, ${usedAmount(Prisma.sql`"spent"`)}, "storage"."perByte"
      FROM "budgets" JOIN "storage" USING ("period") CROSS JOIN "clock" LEFT JOIN "Spending" AS "spent"
        ON "spent"."period" = "budgets"."period" AND "spent"."start" = date_trunc("spent"."period", "clock"."at")::date
      WHERE "unit" = 'money' AND "storage"."perByte" > 0
    )
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day",
      (SELECT COALESCE(json_agg("bounding"), '[]') FROM "bounding") AS "budgets" FROM "clock"`
  return counted.parse(rows)[0]
}
