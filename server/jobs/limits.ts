import type { RuleSet } from '#server/limits/rule-set.ts'

/** Viewing jobs; the page refreshes every few seconds. */
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

/** Retrying and discarding jobs one by one. Superadmins are exempt and nobody else may do it, so this limits the
 *  attempts. */
export const jobChange: readonly RuleSet[] = [
  { name: 'job-change', by: 'subject', rules: [{ limit: 60, window: '1m' }] },
]
