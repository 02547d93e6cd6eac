import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

/**
 * Reports by anybody, charged before anything is looked up: a person reports a few images, a script would bury the queue. Twenty networks
 * can use up what the site takes in an hour.
 */
export const reporting: readonly InputRuleSet<{ readonly image: readonly unknown[] }>[] = [
  {
    name: 'report',
    by: 'subject',
    rules: [
      { limit: 5, window: '1m' },
      { limit: 20, window: '1h' },
      { limit: 60, window: '1d' },
    ],
  },
  { name: 'network-report', by: 'network', rules: [{ limit: 60, window: '1h' }] },
  {
    name: 'report-of-site',
    by: 'site',
    networks: 20,
    rules: [
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
  // A report may name a page of an album, which makes an entry of the queue for each image.
  { name: 'reported-images', by: 'subject', cost: countImages, rules: [{ limit: 100, window: '1h' }] },
  { name: 'network-reported-images', by: 'network', cost: countImages, rules: [{ limit: 200, window: '1h' }] },
  {
    name: 'reported-images-of-site',
    by: 'site',
    networks: 20,
    cost: countImages,
    rules: [{ limit: 4_000, window: '1h', algorithm: 'sliding-window-counter' }],
  },
]

function countImages({ image }: { readonly image: readonly unknown[] }): number {
  return image.length
}

/** The queue of reports. */
export const reportView: readonly RuleSet[] = [
  {
    name: 'report-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 300, window: '1m' },
    ],
  },
]

/** Decisions about reports. Those that change an image of others are charged as moderation too. */
export const reportDecision: readonly RuleSet[] = [
  {
    name: 'report-decision',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 600, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
