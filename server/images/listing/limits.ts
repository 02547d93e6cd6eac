import type { RuleSet } from '#server/limits/rule-set.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/**
 * Lists that are searched or filtered, and their counts; charged in addition to `view` and `count`. They may read thousands of rows
 * for a page. While a person types, a list and a count are asked for a few times a second; scrolling takes one for each page.
 */
export const search: readonly RuleSet[] = [
  {
    name: 'search',
    by: 'subject',
    rules: [
      { limit: 30, window: '1s' },
      { limit: 300, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

export const searching = declareRoute({ label: 'searched lists', declared: search, isAnonymous: true })

/** How many images a list has: a thousand rows at most. */
export const counting: readonly RuleSet[] = [
  {
    name: 'count',
    by: 'subject',
    rules: [
      { limit: 30, window: '1s' },
      { limit: 300, window: '1m', algorithm: 'sliding-window-counter' },
      { limit: 5_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]

/** The months of a whole list, which reads every image of it: when a gallery is opened, sorted or searched. */
export const timelineView: readonly RuleSet[] = [
  {
    name: 'timeline',
    by: 'subject',
    rules: [
      { limit: 60, window: '1m' },
      { limit: 1_000, window: '1h', algorithm: 'sliding-window-counter' },
    ],
  },
]
