import { type Budget, type BudgetState, type BudgetUse, endOf, stateOf } from './budget.ts'

/** A budget as pages show it. */
export interface BudgetItem extends Budget {
  readonly used: number
  /** Of the limit: 1 is all of it. */
  readonly share: number
  readonly state: BudgetState
  /** ISO 8601; null for one that does not end by itself. */
  readonly resetsAt: string | null
  /** It follows from the provider's free allowance. */
  readonly isFree: boolean
}

/** `spent` names the budgets, by `keyOf`, that have refused something since their limit was set. */
export function budgetItem(use: BudgetUse, day: string, spent: ReadonlySet<string>): BudgetItem {
  const { limit, used } = use
  return {
    ...use,
    share: limit === 0 ? 1 : used / limit,
    state: spent.has(keyOf(use)) ? 'spent' : stateOf(use),
    resetsAt: endOf(use.period, day)?.toISOString() ?? null,
  }
}

/** One budget at one limit. */
export const keyOf = ({ period, unit, limit }: Budget): string => `${period}/${unit}/${limit}`
