import { MAX_IMAGES } from '#server/images/bulk/ids.ts'
import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

/** What an export reads beside the images: albums, and the images in them by thousands. */
export const libraryView: readonly RuleSet[] = [
  {
    name: 'library-view',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m', algorithm: 'token-bucket', burst: 120 },
      { limit: 2_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/** Details of imported images, each a row or two: no slower than images are uploaded, and those of an hour at once. */
export const libraryRestore: readonly InputRuleSet<{ readonly items: readonly unknown[] }>[] = [
  { name: 'bulk', by: 'subject', rules: [{ limit: 60, window: '1m' }] },
  {
    name: 'library-restore',
    by: 'subject',
    cost: ({ items }) => items.length,
    rules: [
      { limit: 600, window: '1m', algorithm: 'token-bucket', burst: 10 * MAX_IMAGES },
      { limit: 10_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]
