import { BudgetSpent } from '#server/storage/meter.ts'
import { type Budget, periodEnd } from './budget.ts'

/** Returns the error for a request that these budgets refuse on `day`; it ends with the last of their periods. */
export function budgetSpentError(budgets: readonly Budget[], day: string): BudgetSpent {
  const ends = budgets.map(({ period }) => periodEnd(period, day))
  const until = ends.includes(null) ? null : new Date(Math.max(...ends.map(Number)))
  return new BudgetSpent(`a budget is used up${until ? ` until ${until.toISOString()}` : ''}`, until)
}
