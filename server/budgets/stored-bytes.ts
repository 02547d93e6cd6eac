import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { storageTables } from './bill/storage-cost.ts'
import { type BudgetUse, ORDINARY_UPLOAD } from './budget.ts'
import { keyOf } from './budget-item.ts'
import { budgetUses, type Terms, termTables, usedOf } from './terms.ts'

const bounding = budgetUses.element.extend({ perByte: z.number() })
const counted = z.tuple([z.object({ day: z.iso.date(), budgets: z.array(bounding) })])

/** A budget that bounds what is stored, and how much of it a byte more takes: 1 of bytes, nanos of money. */
type Bounding = z.infer<typeof bounding>

/** What an upload came to. */
export interface Stored {
  readonly day: string
  /** As they are where the transaction is committed, or given up, as it must be unless the outcome is 'fits'. */
  readonly budgets: readonly BudgetUse[]
  /** Those that have no room for an ordinary upload either. */
  readonly spent: readonly BudgetUse[]
  readonly outcome: 'fits' | 'too-large' | 'full'
}

/**
 * Counts what the transaction has added to what is stored, and keeps all others from counting until it ends: to be called
 * behind its other locks. Where no budget bounds what is stored nobody waits: it is counted when it ends.
 */
export async function countStored(tx: Transaction, terms: Terms): Promise<Stored> {
  const unbound = await readBounding(tx, terms)
  if (unbound.budgets.length === 0) return { ...unbound, spent: [], outcome: 'fits' }
  await tx.$queryRaw`SELECT 1 FROM "SiteStorage" WHERE "id" = 1 FOR UPDATE`
  const before = await readBounding(tx, terms)
  // The trigger that counts waits for the end of the transaction, unless it is told not to.
  await tx.$executeRaw`SET CONSTRAINTS "stored_bytes" IMMEDIATE`
  const { day, budgets } = await readBounding(tx, terms)
  const passed = budgets.filter(({ used, limit }) => used > limit)
  if (passed.length === 0) return { day, budgets, spent: [], outcome: 'fits' }
  const keys = new Set(passed.map(keyOf))
  const hasNoRoom = ({ used, limit, perByte }: Bounding) => used + Math.ceil(ORDINARY_UPLOAD * perByte) > limit
  const spent = before.budgets.filter((use) => keys.has(keyOf(use)) && hasNoRoom(use))
  return { ...before, spent, outcome: spent.length > 0 ? 'full' : 'too-large' }
}

/** The budgets that bound what is stored, and what has been counted of each: of bytes, and of money where to store costs some. */
async function readBounding(tx: Transaction, terms: Terms): Promise<z.infer<typeof counted>[0]> {
  const rows = await tx.$queryRaw`
    WITH ${termTables(terms)}, ${storageTables},
    "bounding" AS (
      SELECT "budgets".*, "site"."bytes" AS "used", 1 AS "perByte" FROM "budgets", "site"
      WHERE "period" = 'standing'
      UNION ALL SELECT "budgets".*, ${usedOf(Prisma.sql`"spent"`)}, "storage"."perByte"
      FROM "budgets" JOIN "storage" USING ("period") CROSS JOIN "clock" LEFT JOIN "Spending" AS "spent"
        ON "spent"."period" = "budgets"."period" AND "spent"."start" = date_trunc("spent"."period", "clock"."at")::date
      WHERE "unit" = 'money' AND "storage"."perByte" > 0
    )
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day",
      (SELECT COALESCE(json_agg("bounding"), '[]') FROM "bounding") AS "budgets" FROM "clock"`
  return counted.parse(rows)[0]
}
