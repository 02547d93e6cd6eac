import { BudgetSpent } from '#server/storage/meter.ts'
import { type Budget, endOf } from './budget.ts'

/** What somebody is refused with where these budgets have no room on `day`: until the last of their periods ends. */
export function spentBy(budgets: readonly Budget[], day: string): BudgetSpent {
  const ends = budgets.map(({ period }) => endOf(period, day))
  const until = ends.includes(null) ? null : new Date(Math.max(...ends.map(Number)))
  return new BudgetSpent(spentMessage(until), until)
}

/** What is said where a budget is spent, to anybody: `until` is the end of its period, null for a store that is full. */
function spentMessage(until: Date | null): string {
  if (!until) return 'This site has reached the limit of what it stores: no image can be added right now.'
  const time = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `This site has used up its budget for reading and storing images. Try again after ${time}.`
}
