import { superadminProcedure } from '#server/trpc/init.ts'
import type { BudgetItem } from './budget-item.ts'
import { budgetView } from './limits.ts'

export interface BudgetAlerts {
  /** Near their end, or spent. */
  readonly budgets: readonly BudgetItem[]
  /** Of amounts of money. */
  readonly currency: string
}

/** The budgets that somebody should look at, for the banner of a superadmin's pages. */
export const budgetAlerts = superadminProcedure
  .meta({ limits: budgetView })
  .query(async ({ ctx }): Promise<BudgetAlerts> => {
    const { prices, items } = await ctx.app.budgets.read()
    return { budgets: items.filter(({ state }) => state !== 'fine'), currency: prices.currency }
  })
