import type { RuleSet } from '#server/limits/rule-set.ts'

/** Saved views: a row each. */
export const views: readonly RuleSet[] = [
  {
    name: 'saved-views',
    by: 'subject',
    rules: [
      { limit: 120, window: '1m' },
      { limit: 2_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
