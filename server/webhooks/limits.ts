import type { RuleSet } from '#server/limits/rule-set.ts'

/** Looking at where events are sent; and sending one to try it, which somebody else's server has to answer. */
export const webhookView: readonly RuleSet[] = [
  { name: 'webhook-view', by: 'subject', rules: [{ limit: 60, window: '1m' }] },
]

export const webhookTest: readonly RuleSet[] = [
  {
    name: 'webhook-test',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 30, window: '1h' },
    ],
  },
]
