/** What an account has used of its limits. */
export const ownLimits = {
  back: 'More in {wait}',
  fewer: 'Show fewer',
  lead: 'What you can still do, right now.',
  left: '{used} used, {left} left',
  more: 'Show {count, number} more',
  ruleOf: '{title}: {rule}',
  title: 'Your limits',
  unlimited: 'As a superadmin, you are not limited. Budgets and quotas apply to everyone.',
  unused: 'Unused',
} as const
