import type { RuleSet } from '#server/limits/rule-set.ts'

/** Viewing backups; the page refreshes every few seconds while one is running. */
export const backupView: readonly RuleSet[] = [
  {
    name: 'backup-view',
    by: 'subject',
    rules: [
      { limit: 10, window: '1s' },
      { limit: 120, window: '1m' },
    ],
  },
]

/** Starting backups. Superadmins are exempt and nobody else may do it, so this limits the attempts. */
export const backupStart: readonly RuleSet[] = [
  { name: 'backup-start', by: 'subject', rules: [{ limit: 10, window: '1m' }] },
]
