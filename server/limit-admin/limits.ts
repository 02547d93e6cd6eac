import type { RuleSet } from '#server/limits/rule-set.ts'

/** Viewing rule sets, overrides and figures: cheap, and used by one page. */
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

/** Reading one's own limits: the account page does it every five seconds. One round trip for all of them. */
export const ownLimitsView: readonly RuleSet[] = [
  {
    name: 'own-limits',
    by: 'subject',
    rules: [
      { limit: 5, window: '1s' },
      { limit: 60, window: '1m' },
    ],
  },
]

/** Changing limits at run time. Superadmins are exempt and nobody else may do it, so this limits the attempts. */
export const limitAdminChange: readonly RuleSet[] = [
  { name: 'operations-change', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]

/** Watching figures live: an open connection each, enough for a few pages per person. */
export const limitAdminLive: readonly RuleSet[] = [
  { name: 'operations-live', by: 'subject', rules: [{ concurrent: 4 }] },
  { name: 'operations-watch', by: 'subject', rules: [{ limit: 30, window: '1m' }] },
]
