import { router } from '#server/trpc/init.ts'
import { budgetAlerts } from './budget-alerts.ts'
import { budgetOverview } from './budget-overview.ts'
import { myUsage } from './my-usage.ts'
import { setBudget } from './set-budget.ts'
import { setFreeTier } from './set-free-tier.ts'
import { setPrices } from './set-prices.ts'

export const budgetRouter = router({
  overview: budgetOverview,
  alerts: budgetAlerts,
  mine: myUsage,
  set: setBudget,
  setPrices,
  setFreeTier,
})
