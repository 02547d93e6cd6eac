import { superadminProcedure } from '#server/trpc/init.ts'
import type { BudgetItem } from './budget-item.ts'
import { budgetView } from './limits.ts'

export interface BudgetAlerts {
  /** Those whose state is 'near' or 'spent'. */
  readonly budgets: readonly BudgetItem[]
  /** ISO 4217 code for budgets of money. */
  readonly currency: string
}

/** Returns the budgets that need attention, for the banner on a superadmin's pages. */
export const budgetAlerts = superadminProcedure
  .meta({ limits: budgetView })
  .query(async ({ ctx }): Promise<BudgetAlerts> => {
    const { prices, items } = await ctx.app.budgets.read()
    return { budgets: items.filter(({ state }) => state !== 'fine'), currency: prices.currency }
  })
