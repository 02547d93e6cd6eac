import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import type { BudgetUse } from './budget.ts'
import { spentMessage } from './spent-message.ts'
import { budgetUses, type Terms, termTables } from './terms.ts'

const counted = z.tuple([z.object({ day: z.iso.date(), budgets: budgetUses })])

/** Bytes of an ordinary upload: where there is room for so many, a larger one is refused alone. */
const ORDINARY = 1024 * 1024

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
 * Counts what the transaction has added to what is stored, `bytes` of them, and keeps all others from counting until it ends:
 * to be called behind its other locks. Where no budget bounds what is stored nobody waits: it is counted when it ends.
 */
export async function countStored(tx: Transaction, terms: Terms, bytes: number): Promise<Stored> {
  const unbound = await readStanding(tx, terms)
  if (unbound.budgets.length === 0) return { ...unbound, spent: [], outcome: 'fits' }
  // The trigger that counts waits for the end of the transaction, unless it is told not to.
  await tx.$executeRaw`SET CONSTRAINTS "stored_bytes" IMMEDIATE`
  await tx.$queryRaw`SELECT 1 FROM "SiteStorage" WHERE "id" = 1 FOR UPDATE`
  const { day, budgets } = await readStanding(tx, terms)
  if (budgets.every(({ used, limit }) => used <= limit)) return { day, budgets, spent: [], outcome: 'fits' }
  const before = budgets.map((budget) => ({ ...budget, used: budget.used - bytes }))
  const spent = before.filter(({ used, limit }) => used + bytes > limit && used + ORDINARY > limit)
  return { day, budgets: before, spent, outcome: spent.length > 0 ? 'full' : 'too-large' }
}

/** The budgets of what is stored, and what has been counted of it. */
async function readStanding(tx: Transaction, terms: Terms): Promise<z.infer<typeof counted>[0]> {
  const rows = await tx.$queryRaw`
    WITH ${termTables(terms)}
    SELECT to_char("clock"."at", 'YYYY-MM-DD') AS "day", (
      SELECT COALESCE(json_agg(json_build_object(
        'period', "period", 'unit', "unit", 'limit', "limit", 'isFree', "isFree", 'used', "site"."bytes"
      )), '[]') FROM "budgets", "SiteStorage" AS "site" WHERE "period" = 'standing'
    ) AS "budgets" FROM "clock"`
  return counted.parse(rows)[0]
}

/** What an upload is refused with where the site stores as much as it may. */
export const storeIsFull = (): BudgetSpent => new BudgetSpent(spentMessage(null), null)
