import type { Prices } from './bill/prices.ts'
import { type Budget, type BudgetState, judgeBudget, ORDINARY_UPLOAD, periodEnd } from './budget.ts'
import type { CurrentBudget } from './terms.ts'

/** A budget as pages show it. */
export interface BudgetItem extends Budget {
  readonly used: number
  /** The part of `used` that pays for storage until the end of the period; 0 unless the unit is money. */
  readonly storage: number
  /** `used` divided by `limit`. */
  readonly share: number
  readonly state: BudgetState
  /** ISO 8601; null for a standing budget, which never resets. */
  readonly resetsAt: string | null
  /** The limit is the provider's free allowance. */
  readonly isFree: boolean
  /** The limit set by the owner, even where a lower free allowance applies; null if none is set. */
  readonly ownLimit: number | null
}

/** `spent`: keys (`budgetKey`) of the budgets that have refused a request at their present limit. `ordinary`: the result of
 *  `ordinaryNanos`. */
export function budgetItem(use: CurrentBudget, day: string, spent: ReadonlySet<string>, ordinary: number): BudgetItem {
  const { unit, limit, used, storage } = use
  const state = judgeBudget(use)
  // Deletions since the refusal may have made room again.
  const hasRoom = unit === 'stored' ? used + ORDINARY_UPLOAD <= limit : storage > 0 && used + ordinary <= limit
  const isSpent = spent.has(budgetKey(use)) && !hasRoom
  return {
    ...use,
    share: limit === 0 ? 1 : used / limit,
    state: isSpent ? 'spent' : state,
    resetsAt: periodEnd(use.period, day)?.toISOString() ?? null,
  }
}

/** The nanos for one write, one read, and one MiB received, sent and kept for a month. A money budget with this much left
 *  refuses no ordinary request. */
export const ordinaryNanos = ({ writes, reads, bytesIn, bytesOut, stored, gigabyte }: Prices): number =>
  Math.ceil((writes + reads) / 1_000_000 + ((bytesIn + bytesOut + stored) * ORDINARY_UPLOAD) / gigabyte)

/** Identifies a budget at its present limit: a changed limit is announced again. */
export const budgetKey = ({ period, unit, limit }: Budget): string => `${period}/${unit}/${limit}`
