import type { RuleSet } from '#server/limits/rule-set.ts'

/** Looking at jobs: a page asks again every few seconds. */
export const jobView: readonly RuleSet[] = [
  {
    name: 'job-view',
    by: 'subject',
    rules: [
      { limit: 10, window: '1s' },
      { limit: 120, window: '1m' },
    ],
  },
]

/** Trying again and discarding, one at a time, for those whom limits bind: none of them may, so this bounds the trying. */
export const jobChange: readonly RuleSet[] = [
  { name: 'job-change', by: 'subject', rules: [{ limit: 60, window: '1m' }] },
]
