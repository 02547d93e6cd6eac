import type { RuleSet } from '#server/limits/rule-set.ts'

/** Looking at what is spent: sums over a month's rows, for few people. */
export const budgetView: readonly RuleSet[] = [
  {
    name: 'budget-view',
    by: 'subject',
    rules: [
      { limit: 10, window: '1s' },
      { limit: 120, window: '1m' },
    ],
  },
]

/** One's own meters: a page asks once. */
export const budgetMine: readonly RuleSet[] = [
  {
    name: 'budget-mine',
    by: 'subject',
    rules: [
      { limit: 10, window: '1s' },
      { limit: 60, window: '1m' },
    ],
  },
]

/** Changing budgets, for those whom limits bind: none of them may, so this bounds the trying. */
export const budgetChange: readonly RuleSet[] = [
  { name: 'budget-change', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]
