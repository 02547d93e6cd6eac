import type { RuleSet } from '#server/limits/rule-set.ts'

/** Viewing the webhook, and sending a test event, which someone else's server must answer. */
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
