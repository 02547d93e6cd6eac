import type { RuleSet } from '#server/limits/rule-set.ts'

/** Reading the audit and one's own activity. An open page asks every five seconds. */
export const auditView: readonly RuleSet[] = [
  {
    name: 'audit-view',
    by: 'subject',
    rules: [
      { limit: 10, window: '1s' },
      { limit: 120, window: '1m' },
    ],
  },
]

/** Exporting the audit: a call sends thousands of entries. Superadmins are exempt and nobody else may do it, so this limits the
 *  attempts. */
export const auditExport: readonly RuleSet[] = [
  { name: 'audit-export', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]
