import type { RuleSet } from '#server/limits/rule-set.ts'

/** Reading what was spent: sums over a month's rows, for superadmins. */
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

/** Reading your own usage: once per page. */
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

/** Changing budgets. Superadmins are exempt and nobody else may, so this bounds forbidden attempts. */
export const budgetChange: readonly RuleSet[] = [
  { name: 'budget-change', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]
