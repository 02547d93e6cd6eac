import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

interface Images {
  readonly images: readonly string[]
}

/** Tags of images: a permit per image. The burst allows a full selection and its undo, then one a second. */
export const tagging: readonly InputRuleSet<Images>[] = [
  { name: 'bulk', by: 'subject', rules: [{ limit: 60, window: '1m' }] },
  {
    name: 'tag',
    by: 'subject',
    cost: ({ images }) => images.length,
    rules: [
      { limit: 60, window: '1m', algorithm: 'token-bucket', burst: 200 },
      { limit: 1_000, window: '1h', algorithm: 'token-bucket' },
    ],
  },
]

/** Renaming, merging and deleting tags: a call may change every image that has one. */
export const tagEdit: readonly RuleSet[] = [
  {
    name: 'tag-edit',
    by: 'subject',
    rules: [
      { limit: 30, window: '1m' },
      { limit: 300, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** Lists of tags. While a person types, each letter is a call. */
export const tagView: readonly RuleSet[] = [
  {
    name: 'tag-view',
    by: 'subject',
    rules: [
      { limit: 20, window: '1s' },
      { limit: 300, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
