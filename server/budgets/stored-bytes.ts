import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import type { BudgetUse } from './budget.ts'
import { spentMessage } from './spent-message.ts'
import { budgetUses, type Terms, termTables } from './terms.ts'

const counted = z.tuple([z.object({ day: z.iso.date(), budgets: budgetUses })])

/** What is stored, and what may be. */
export interface Stored {
  readonly day: string
  readonly budgets: readonly BudgetUse[]
  readonly blocked: readonly BudgetUse[]
}

/**
 * Counts what the transaction has added to what is stored, and keeps all others from counting until it ends: to be called
 * behind its other locks. `blocked` are the budgets that are passed by it.
 */
export async function countStored(tx: Transaction, terms: Terms): Promise<Stored> {
  // The trigger that counts waits for the end of the transaction, unless it is told not to.
  await tx.$executeRaw`SET CONSTRAINTS "stored_bytes" IMMEDIATE`
  await tx.$queryRaw`SELECT 1 FROM "SiteStorage" WHERE "id" = 1 FOR UPDATE`
  const rows = await tx.$queryRaw`
    WITH ${termTables(terms)}
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day", (
      SELECT COALESCE(json_agg(json_build_object(
        'period', "period", 'unit', "unit", 'limit', "limit", 'isFree', "isFree", 'used', "site"."bytes"
      )), '[]') FROM "budgets", "SiteStorage" AS "site" WHERE "period" = 'standing'
    ) AS "budgets" FROM "clock"`
  const [{ day, budgets }] = counted.parse(rows)
  return { day, budgets, blocked: budgets.filter(({ used, limit }) => used > limit) }
}

/** What an upload is refused with where the site stores as much as it may. */
export const storeIsFull = (): BudgetSpent => new BudgetSpent(spentMessage(null), null)
