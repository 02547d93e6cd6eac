import type { Prices } from './bill/prices.ts'
import { type Budget, type BudgetState, endOf, ORDINARY_UPLOAD, stateOf } from './budget.ts'
import type { HeldBudget } from './terms.ts'

/** A budget as pages show it. */
export interface BudgetItem extends Budget {
  readonly used: number
  /** What of it, where it is money, is for keeping what is stored to the end of the period. */
  readonly storage: number
  /** Of the limit: 1 is all of it. */
  readonly share: number
  readonly state: BudgetState
  /** ISO 8601; null for one that does not end by itself. */
  readonly resetsAt: string | null
  /** It follows from the provider's free allowance. */
  readonly isFree: boolean
  /** The owner's own, which may be behind a lower free allowance; null where there is none. */
  readonly ownLimit: number | null
}

/** `spent` names the budgets, by `keyOf`, that have refused something since their limit was set; `ordinary` is by
 *  `ordinaryNanos`. */
export function budgetItem(use: HeldBudget, day: string, spent: ReadonlySet<string>, ordinary: number): BudgetItem {
  const { unit, limit, used, storage } = use
  const state = stateOf(use)
  // What was removed since may have made room.
  const hasRoom = unit === 'stored' ? used + ORDINARY_UPLOAD <= limit : storage > 0 && used + ordinary <= limit
  const isSpent = spent.has(keyOf(use)) && !hasRoom
  return {
    ...use,
    share: limit === 0 ? 1 : used / limit,
    state: isSpent ? 'spent' : state,
    resetsAt: endOf(use.period, day)?.toISOString() ?? null,
  }
}

/** Nanos of a write, a read, and a MiB that comes, goes and is kept: where a budget of money has so much left, nothing
 *  ordinary is refused. */
export const ordinaryNanos = ({ writes, reads, bytesIn, bytesOut, stored, gigabyte }: Prices): number =>
  Math.ceil((writes + reads) / 1_000_000 + ((bytesIn + bytesOut + stored) * ORDINARY_UPLOAD) / gigabyte)

/** One budget at one limit. */
export const keyOf = ({ period, unit, limit }: Budget): string => `${period}/${unit}/${limit}`
