import { formatUtcMinute } from '#format/dates.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { type Budget, periodEnd } from './budget.ts'

/** Returns the error for a request that these budgets refuse on `day`; it ends with the last of their periods. */
export function budgetSpentError(budgets: readonly Budget[], day: string): BudgetSpent {
  const ends = budgets.map(({ period }) => periodEnd(period, day))
  const until = ends.includes(null) ? null : new Date(Math.max(...ends.map(Number)))
  return new BudgetSpent(spentMessage(until), until)
}

/** `until` is the end of the budget's period; null for storage, which has none. */
function spentMessage(until: Date | null): string {
  if (!until) return 'This site has reached the limit of what it stores: no image can be added right now.'
  const time = `${formatUtcMinute(until)} UTC`
  return `This site has used up its budget for reading and storing images. Try again after ${time}.`
}
