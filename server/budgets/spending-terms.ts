import { type Actor, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type Prices, pricesSchema } from './bill/prices.ts'
import type { Budget } from './budget.ts'

/*
 * Each change and its audit entry are one transaction. A table lock serializes changes, so that each entry's `before` is
 * what the previous change left. Every process reads the result with its next lease.
 */

interface BudgetChange extends Omit<Budget, 'limit'> {
  /** Null removes the budget. */
  readonly limit: number | null
  readonly note: string | null
}

/** Sets, changes or removes a budget. */
export async function writeBudget(db: PrismaClient, actor: Actor, change: BudgetChange): Promise<void> {
  const { period, unit, limit, note } = change
  await transact(db, async (tx) => {
    await tx.$executeRaw`LOCK TABLE "Budget" IN SHARE ROW EXCLUSIVE MODE`
    const id = { period_unit: { period, unit } }
    const row = await tx.budget.findUnique({ where: id, select: { limit: true, note: true } })
    if (!row && limit === null) return
    if (limit === null) {
      await tx.budget.delete({ where: id })
    } else {
      const data = { limit, note, changedAt: new Date(), changedBy: actor.username }
      await tx.budget.upsert({ where: id, create: { period, unit, ...data }, update: data })
    }
    await writeAudit(tx, actor, {
      action: 'budget.set',
      target: `${period}/${unit}`,
      before: row && { limit: Number(row.limit), note: row.note },
      after: limit === null ? null : { limit, note },
    })
  })
}

/** Sets the owner's prices; null restores the published ones. */
export async function writePrices(db: PrismaClient, actor: Actor, prices: Prices | null): Promise<void> {
  await changeTerms(db, async (tx, before) => {
    await tx.$executeRaw`
      UPDATE "SpendingTerms" SET "prices" = ${prices && JSON.stringify(prices)}::jsonb WHERE "id" = 1`
    await writeAudit(tx, actor, {
      action: 'budget.setPrices',
      target: 'prices',
      before: before.prices,
      after: prices,
    })
  })
}

/** Turns the provider's free allowances on or off as budgets. */
export async function writeFreeTier(db: PrismaClient, actor: Actor, on: boolean): Promise<void> {
  await changeTerms(db, async (tx, before) => {
    await tx.spendingTerms.update({ where: { id: 1 }, data: { freeTier: on }, select: { id: true } })
    await writeAudit(tx, actor, {
      action: 'budget.setFreeTier',
      target: 'free tier',
      before: { on: before.freeTier },
      after: { on },
    })
  })
}

interface StoredTerms {
  readonly prices: Prices | null
  readonly freeTier: boolean
}

async function changeTerms(
  db: PrismaClient,
  change: (tx: Transaction, before: StoredTerms) => Promise<void>,
): Promise<void> {
  await transact(db, async (tx) => {
    await tx.$executeRaw`LOCK TABLE "SpendingTerms" IN SHARE ROW EXCLUSIVE MODE`
    const { prices, freeTier } = await tx.spendingTerms.upsert({ where: { id: 1 }, create: {}, update: {} })
    // Prices in another version's format are replaced and left out of the audit entry.
    await change(tx, { prices: pricesSchema.safeParse(prices).data ?? null, freeTier })
  })
}
