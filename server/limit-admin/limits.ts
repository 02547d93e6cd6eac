import type { RuleSet } from '#server/limits/rule-set.ts'

/** Looking at rule sets, overrides and figures: cheap, and asked by one page. */
export const limitAdminView: readonly RuleSet[] = [
  {
    name: 'operations-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 120, window: '1m' },
    ],
  },
]

/** Changing what holds at run time, for those whom limits bind: none of them may, so this bounds the trying. */
export const limitAdminChange: readonly RuleSet[] = [
  { name: 'operations-change', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]

/** Watching the figures live: a line held open each, for a few pages of one person. */
export const operationsLive: readonly RuleSet[] = [
  { name: 'operations-live', by: 'subject', rules: [{ concurrent: 4 }] },
  { name: 'operations-watch', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]
